"""Serves what can be proved of a shoe: `HistoryService.GetShoe`."""

from collections.abc import Mapping

from croupier.v1 import history_service_pb2 as pb
from croupier.v1 import shoe_pb2

from service.calls.pipeline import Context, Method
from service.journal.plain_ids import plain_id
from service.live.read import Reader
from service.rules.reasons import Reason, Refused
from service.rules.shoe import PACK_SIZE
from service.shoes.proofs import ProvedShoe, ShoeProver


class ShownShoes:
    """Shows shoes to whoever sees their table."""

    def __init__(self, reader: Reader, prover: ShoeProver) -> None:
        self._reader = reader
        self._prover = prover

    def methods(self) -> Mapping[str, Method]:
        """What is served, by full name."""
        return {"/croupier.v1.HistoryService/GetShoe": Method(self._get_shoe)}

    async def _get_shoe(self, context: Context, request: pb.GetShoeRequest) -> pb.GetShoeResponse:
        table_id = plain_id(request.table_id, "table_id")
        if request.shoe < 1:
            raise Refused(Reason.FIELD_INVALID, "shoe: shoes count from 1", field="shoe")
        if request.first_position < 0:
            raise Refused(
                Reason.FIELD_INVALID,
                "first_position: places count from 0",
                field="first_position",
            )
        head = await self._reader.head(table_id, context.caller.operator)
        shoe = await self._prover.shoe(head, request.shoe, request.first_position)
        return pb.GetShoeResponse(shoe=shoe_to_wire(table_id, shoe))


def shoe_to_wire(table_id: str, shoe: ProvedShoe) -> shoe_pb2.ProvedShoe:
    """A shoe, as it is shown."""
    opened = shoe.opened
    return shoe_pb2.ProvedShoe(
        table_id=table_id,
        number=opened.shoe,
        decks=opened.cards // PACK_SIZE,
        cut_card=opened.cut_card,
        commitment=opened.commitment,
        commit_version=shoe.commit_version,
        open_version=shoe.open_version,
        client_seeds=[
            shoe_pb2.ClientSeed(seat=one.seat, player_id=one.player, seed=one.seed)
            for one in opened.client_seeds
        ],
        root=opened.root,
        cards=[
            shoe_pb2.CardProof(
                position=card.position,
                card=card.card,
                salt=card.salt,
                path=[neighbour.hex() for neighbour in card.path],
            )
            for card in shoe.cards
        ],
        seed=shoe.seed,
    )
