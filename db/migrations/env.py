"""Alembic's entry point: runs the revisions on the connection that `db.migrate` passes in."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
