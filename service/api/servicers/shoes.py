"""Serves what can be proved of a shoe: `HistoryService.GetShoe`."""

from croupier.v1 import history_service_pb2 as pb
from croupier.v1 import shoe_pb2

from service.api.asking import asker_of
from service.calls.pipeline import Context
from service.live.lookup import Lookup
from service.rules.shoe import PACK_SIZE
from service.shoes.proofs import ProvedShoe, ShoeProver


class ShownShoes:
    """Shows shoes to whoever sees their table."""

    def __init__(self, lookup: Lookup, prover: ShoeProver) -> None:
        self._lookup = lookup
        self._prover = prover

    async def GetShoe(self, request: pb.GetShoeRequest, context: Context) -> pb.GetShoeResponse:
        table_id = request.table_id
        head = await self._lookup.head(table_id, asker_of(context.caller))
        shoe = await self._prover.shoe(head, request.shoe, request.first_position)
        return pb.GetShoeResponse(shoe=shoe_to_wire(table_id, shoe))


def shoe_to_wire(table_id: str, shoe: ProvedShoe) -> shoe_pb2.ProvedShoe:
    """A shoe, as it is shown."""
    return shoe_pb2.ProvedShoe(
        table_id=table_id,
        number=shoe.number,
        decks=shoe.size // PACK_SIZE,
        cut_card=shoe.cut_card,
        commitment=shoe.commitment,
        commit_version=shoe.commit_version,
        open_version=shoe.open_version,
        client_seeds=[
            shoe_pb2.ClientSeed(seat=one.seat, player_id=one.player, seed=one.seed)
            for one in shoe.client_seeds
        ],
        root=shoe.root,
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
