"""How far the service's time has come, in one row, and its interruptions: times in which nobody
could answer. The service may add interruptions but not change them.

Neither belongs to a table: each database has its own.
"""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

RELATIONS = """
CREATE TABLE serving_time (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    reached bigint NOT NULL,
    clock   bigint NOT NULL
);
INSERT INTO serving_time (reached, clock) VALUES (0, 0);
CREATE TABLE interruption (
    from_at bigint NOT NULL,
    to_at   bigint NOT NULL CHECK (to_at > from_at),
    cause   text NOT NULL,
    PRIMARY KEY (to_at)
);
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'croupier_service') THEN
        GRANT SELECT, UPDATE ON serving_time TO croupier_service;
        GRANT SELECT, INSERT ON interruption TO croupier_service;
    END IF;
END
$$;
"""


def upgrade() -> None:
    """Add the relations."""
    op.get_bind().exec_driver_sql(RELATIONS)
