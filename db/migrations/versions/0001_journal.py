"""The journal of every table, and the relations derived from it.

Designed for distribution over machines by `table_id`: every primary key and unique index of a
table's data begins with it, and there are no foreign keys between tables, no sequences, no
triggers. Ids compare by code point, so that pages are the same on every server. Times are
microseconds since 1970.
"""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

RELATIONS = """
-- One row an accepted command; `command` and `events` are the exact bytes that the hash is over.
CREATE TABLE journal (
    table_id    text COLLATE "C" NOT NULL,
    version     bigint NOT NULL CHECK (version > 0),
    round       integer NOT NULL,
    actor       text COLLATE "C" NOT NULL,
    request_id  text COLLATE "C" CHECK (request_id <> ''),
    command     text NOT NULL,
    events      text NOT NULL,
    at          bigint NOT NULL,
    engine      integer NOT NULL,
    hash        bytea NOT NULL,
    PRIMARY KEY (table_id, version),
    UNIQUE (table_id, actor, request_id)
);

-- Where each table stands. Half of each page stays free, so that the new version of a row finds
-- room beside the old one and no index needs to learn of it.
CREATE TABLE table_head (
    table_id      text COLLATE "C" PRIMARY KEY,
    operator      text COLLATE "C" NOT NULL,
    owner         text COLLATE "C" NOT NULL,
    rule_set_id   text COLLATE "C" NOT NULL,
    rule_set      text NOT NULL,
    opened_at     bigint NOT NULL,
    version       bigint NOT NULL,
    hash          bytea NOT NULL,
    phase         text NOT NULL,
    round         integer NOT NULL,
    round_version bigint NOT NULL,
    shoe          integer NOT NULL,
    deadline      bigint NOT NULL,
    at            bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX table_head_of_operator ON table_head (operator, opened_at, table_id);
CREATE INDEX table_head_of_owner ON table_head (operator, owner);

CREATE TABLE shoe (
    table_id   text COLLATE "C" NOT NULL,
    number     integer NOT NULL,
    key_id     text NOT NULL,
    sealed     bytea NOT NULL,
    commitment text NOT NULL,
    PRIMARY KEY (table_id, number)
);

CREATE TABLE seat (
    table_id text COLLATE "C" NOT NULL,
    player   text COLLATE "C" NOT NULL,
    seat     integer NOT NULL,
    PRIMARY KEY (table_id, player)
);
CREATE INDEX seat_of_player ON seat (player);

CREATE TABLE round_summary (
    table_id text COLLATE "C" NOT NULL,
    round    integer NOT NULL,
    seat     integer NOT NULL,
    player   text COLLATE "C" NOT NULL,
    operator text COLLATE "C" NOT NULL,
    staked   bigint NOT NULL,
    returned bigint NOT NULL,
    net      bigint NOT NULL,
    stack    bigint NOT NULL,
    version  bigint NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (table_id, round, seat)
);
CREATE INDEX round_summary_of_operator ON round_summary (operator, at);
CREATE INDEX round_summary_of_player ON round_summary (operator, player, at);

CREATE TABLE rule_set (
    operator    text COLLATE "C" NOT NULL,
    rule_set_id text COLLATE "C" NOT NULL,
    rule_set    text NOT NULL,
    created_at  bigint NOT NULL,
    PRIMARY KEY (operator, rule_set_id)
);

CREATE TABLE operator (
    operator text COLLATE "C" PRIMARY KEY,
    key_hash bytea NOT NULL
);
CREATE INDEX operator_of_key ON operator (key_hash);

-- For readers with SQL: one row an event.
CREATE VIEW events AS
SELECT journal.table_id, journal.version, each.position, journal.round, journal.actor,
       to_timestamp(journal.at / 1000000.0) AS at, each.event ->> 'type' AS type, each.event
FROM journal, jsonb_array_elements(journal.events::jsonb) WITH ORDINALITY AS each (event, position);
"""


def upgrade() -> None:
    """Create the schema. What the role of the service may do with it stands in `db.rights`."""
    op.get_bind().exec_driver_sql(RELATIONS)
