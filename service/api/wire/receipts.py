"""Receipts onto the wire."""

from croupier.v1 import table_pb2 as pb

from service.records.receipt import Receipt


def receipt_to_wire(receipt: Receipt) -> pb.Receipt:
    """A receipt as the players get it."""
    return pb.Receipt(
        operator=receipt.operator,
        table_id=receipt.table_id,
        round=receipt.round,
        version=receipt.version,
        record_time_micros=receipt.at,
        hash=receipt.hash.hex(),
        key_id=receipt.signed.key_id,
        signature=receipt.signed.signature.hex(),
    )
