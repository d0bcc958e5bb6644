"""The row that published each shoe's commitment, so that a shoe's rows can be found."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.get_bind().exec_driver_sql("ALTER TABLE shoe ADD COLUMN version bigint NOT NULL DEFAULT 0")
