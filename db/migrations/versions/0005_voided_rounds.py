"""The rounds that an operator voided, and the reasons; the service may add rows but not change
them."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

RELATION = """
CREATE TABLE round_void (
    table_id text COLLATE "C" NOT NULL,
    round    integer NOT NULL,
    reason   text NOT NULL,
    version  bigint NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (table_id, round)
);
"""


def upgrade() -> None:
    """Add the relation."""
    op.get_bind().exec_driver_sql(RELATION)
