"""Alembic's entry point: runs the revisions on the connection that `db.migrate` passes in."""

from alembic import context

attributes = context.config.attributes
context.configure(connection=attributes["connection"], version_table=attributes["version_table"])
with context.begin_transaction():
    context.run_migrations()
