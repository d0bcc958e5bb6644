"""The rows of all journals in the order of their times, for readers of many tables."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index. It is not unique, so it need not begin with the table id."""
    op.get_bind().exec_driver_sql("CREATE INDEX journal_by_time ON journal (at, table_id, version)")
