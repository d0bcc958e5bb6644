"""The columns that find tables for several players: free seats, privacy, deadlines."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

COLUMNS = """
ALTER TABLE table_head ADD COLUMN free_seats integer NOT NULL DEFAULT 0;
ALTER TABLE table_head ADD COLUMN private boolean NOT NULL DEFAULT false;
CREATE INDEX table_head_due ON table_head (deadline) WHERE deadline > 0;
CREATE INDEX table_head_to_join ON table_head (operator, opened_at, table_id)
    WHERE free_seats > 0 AND NOT private;
"""


def upgrade() -> None:
    """Add the columns and the indexes."""
    op.get_bind().exec_driver_sql(COLUMNS)
