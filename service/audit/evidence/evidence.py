"""Evidence: what is known about a table from outside the database, and errors in evidence."""

from service.errors import Mendable


class EvidenceWrong(Mendable):
    """A digest, a proof or a receipt is not valid; the message says where and why.

    It says nothing about the database: evidence must be valid before the database is compared with
    it.
    """
