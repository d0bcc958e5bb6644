"""Evidence: what is known of a table from outside the database, and what is wrong with evidence."""

from service.errors import Mendable


class EvidenceWrong(Mendable):
    """A digest, a proof or a receipt is not what it claims to be; the message says where and how.

    It says nothing about the database: evidence has to be good before anything is held against it.
    """
