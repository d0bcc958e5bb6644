"""A shoe as anyone may check it: the commitment, the players' seeds, the cards and their proofs.

A card has a proof from the moment it is turned up, and not before: this module never looks up a
card that the journal has not shown.
"""

from collections.abc import AsyncGenerator, Sequence

import msgspec

from service.journal.codec import events_of
from service.journal.deciders import decider_of
from service.journal.ports import Catalog, Head, JournalRow, SealedShoe, Store
from service.journal.text import rule_set_of
from service.rules.reasons import Reason, Refused
from service.shoes.chance import SeededChance
from service.shoes.vault import Vault
from service.table.chance import ClientSeed
from service.table.events import (
    CardDealt,
    DealerCardDealt,
    Event,
    FirstCardTurned,
    HoleCardTurned,
    ShoeOpened,
    ShoeRevealed,
)

PAGE = 500
"""The number of rows read at once."""

TURNED_UP = (CardDealt, DealerCardDealt, FirstCardTurned, HoleCardTurned)
"""The events that show a card; each has its position and its salt."""


class ProvedCard(msgspec.Struct, frozen=True):
    """A card that was turned up; `path` leads from its leaf to the root."""

    position: int
    card: str
    salt: str
    path: tuple[bytes, ...]


class ProvedShoe(msgspec.Struct, frozen=True):
    """A shoe that was opened: its size, the position of its cut card, what was published about it,
    and the players' seeds; `seed` is empty until it is revealed."""

    number: int
    size: int
    cut_card: int
    commitment: str
    root: str
    client_seeds: tuple[ClientSeed, ...]
    commit_version: int
    open_version: int
    cards: tuple[ProvedCard, ...]
    seed: str


class ShoeProver:
    """Finds shoes in the journals, and proves their cards that were turned up."""

    def __init__(self, store: Store, catalog: Catalog, shoes: Vault) -> None:
        self._store = store
        self._catalog = catalog
        self._shoes = shoes

    async def shoe(self, head: Head, number: int, first_position: int) -> ProvedShoe:
        """A shoe of a table, with the cards from a position on; refused if it was never opened."""
        sealed = await self._store.load_shoes(head.table_id, number)
        # The row that opened a shoe also published the commitment to the next one.
        if len(sealed) < 2 or sealed[0].number != number:
            raise Refused(
                Reason.SHOE_NOT_FOUND,
                f"table {head.table_id} has opened no shoe {number}",
                shoe=head.shoe,
            )
        own, following = sealed[0], sealed[1]
        events = [event async for event in self._events(head.table_id, number, following.version)]
        opened = next(event for event in events if isinstance(event, ShoeOpened))
        seeds = [event.seed for event in events if isinstance(event, ShoeRevealed)]
        return ProvedShoe(
            number=opened.shoe,
            size=opened.cards,
            cut_card=opened.cut_card,
            commitment=opened.commitment,
            root=opened.root,
            client_seeds=opened.client_seeds,
            commit_version=own.version,
            open_version=following.version,
            cards=self._proved(self._chance(head, own, seeds), opened, events, first_position),
            seed=seeds[0] if seeds else "",
        )

    def _chance(self, head: Head, sealed: SealedShoe, revealed: Sequence[str]) -> SeededChance:
        """The chance of a shoe; a revealed seed is used as it is, because its sealing key may be
        gone."""
        rules = rule_set_of(head.rule_set)
        if revealed:
            seed = bytes.fromhex(revealed[0])
            return self._shoes.revealed(head.table_id, rules, sealed.number, seed)
        return self._shoes.chance(head.table_id, rules, [sealed])

    def _proved(
        self,
        chance: SeededChance,
        opened: ShoeOpened,
        events: Sequence[Event],
        first_position: int,
    ) -> tuple[ProvedCard, ...]:
        chance.mix_in(opened.shoe, opened.client_seeds)
        turned = [
            ProvedCard(
                event.position, event.card, event.salt, chance.path(opened.shoe, event.position)
            )
            for event in events
            if isinstance(event, TURNED_UP) and event.position >= first_position
        ]
        return tuple(sorted(turned, key=lambda card: card.position))

    async def _events(
        self, table_id: str, number: int, version: int
    ) -> AsyncGenerator[Event, None]:
        """The events from the opening of a shoe, in the row of that version, to its reveal."""
        begun = False
        async for row in self._rows_from(table_id, version):
            decider_of(row.engine)
            for event in events_of(row.events):
                begun = begun or (isinstance(event, ShoeOpened) and event.shoe == number)
                if begun:
                    yield event
                if begun and isinstance(event, ShoeRevealed):
                    return

    async def _rows_from(self, table_id: str, version: int) -> AsyncGenerator[JournalRow, None]:
        before = version - 1
        while rows := await self._catalog.journal(table_id, 0, before, PAGE):
            for row in rows:
                yield row
            before = rows[-1].version
