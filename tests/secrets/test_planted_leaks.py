"""The tests of twins can fail: each leak that is planted here is found."""

from collections.abc import AsyncGenerator, Callable
from random import Random
from typing import Any

import pytest
import structlog
from msgspec.structs import replace

from service.journal.ports import SeatRow
from service.live.execute import Handler
from service.live.live_table import advance
from service.live.lookup import Asker
from service.live.shown_tables import Shown, ShownRound, ShownTables
from service.rules.cards import FACE_DOWN, pips
from service.rules.hand import Action
from service.rules.reasons import Refused
from service.rules.rule_set import RuleSet
from service.rules.totals import total
from service.table.deciding import decide, draft
from service.table.deciding.legal_actions import legal_actions
from service.table.events import DeadlineSet, HoleCardDealt
from service.table.phase import Phase
from service.table.showing import view
from service.table.state import State
from tests.secrets.disclosure import Leak
from tests.secrets.games import find_twins
from tests.secrets.looks import look_from_all_sides
from tests.secrets.play import Play
from tests.secrets.services import twin_services
from tests.secrets.tables import TABLES
from tests.secrets.test_services import twins_of

Plant = Callable[[pytest.MonkeyPatch], None]


def hole(state: State, chance: Any) -> str:
    """The card that nobody may know, if there is one."""
    at = state.dealer.hole_at
    return chance.card(state.shoe.number, at) if at >= 0 else ""


def is_ten(state: State, chance: Any) -> bool:
    card = hole(state, chance)
    return bool(card) and pips(card) == 10


def view_shows_the_hole_card(patch: pytest.MonkeyPatch) -> None:
    def cards(state: State, _own: Any, chance: Any) -> tuple[str, ...]:
        card = hole(state, chance)
        return tuple(card if one == FACE_DOWN else one for one in state.dealer.cards)

    patch.setattr(view, "_dealer_cards", cards)


def view_shows_first_cards_to_all(patch: pytest.MonkeyPatch) -> None:
    shown = view._seat
    patch.setattr(view, "_seat", lambda state, seat, _own, *rest: shown(state, seat, seat, *rest))


def legal_actions_depend_on_the_hole_card(patch: pytest.MonkeyPatch) -> None:
    def wise(state: State, seat: Any, chance: Any) -> tuple[Action, ...]:
        unwise = Action.DOUBLE if is_ten(state, chance) else None
        return tuple(one for one in legal_actions(state, seat, chance) if one is not unwise)

    patch.setattr("service.table.showing.view.legal_actions", wise)


def refusal_names_the_dealers_total(patch: pytest.MonkeyPatch) -> None:
    act = decide._act

    def talkative(on: draft.Draft, command: Any) -> None:
        try:
            act(on, command)
        except Refused as refused:
            cards = [hole(on.state, on.chance), *on.state.dealer.cards]
            count = total([card for card in cards if card and card != FACE_DOWN])[0]
            told = Refused(refused.reason, refused.message, **refused.details)
            told.details = {name: f"{said} {count}" for name, said in told.details.items()}
            raise told from refused

    patch.setattr(decide, "_act", talkative)


def event_says_that_it_is_a_ten(patch: pytest.MonkeyPatch) -> None:
    emit = draft.Draft.emit

    def tell(self: draft.Draft, event: Any) -> None:
        emit(self, event)
        if isinstance(event, HoleCardDealt) and is_ten(self.state, self.chance):
            emit(self, DeadlineSet(self.now + 1))

    patch.setattr(draft.Draft, "emit", tell)


@pytest.mark.parametrize(
    ("plant", "name"),
    [
        (view_shows_the_hole_card, "six-deck-h17"),
        (view_shows_first_cards_to_all, "rotating-banker"),
        (legal_actions_depend_on_the_hole_card, "ranked-match"),
        (refusal_names_the_dealers_total, "four-deck-vegas"),
        (event_says_that_it_is_a_ten, "twenty-rounds"),
    ],
)
def test_a_leak_in_a_game_is_found(
    plant: Plant, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    random = Random(name)
    with pytest.raises(Leak):
        look_at_many(random, TABLES[name].rule_set)


def look_at_many(random: Random, rules: RuleSet) -> None:
    for _ in range(100):
        twins = find_twins(random, rules)
        if twins:
            look_from_all_sides(twins)


def history_is_told_as_the_banker_sees_it(patch: pytest.MonkeyPatch) -> None:
    honest = ShownTables.round

    async def told(self: ShownTables, table_id: str, asker: Asker, round: int) -> ShownRound:
        state = (await self._reader.round(table_id, asker, round)).table.state
        banker = state.seat(state.banker).player if state.banker else ""
        return await honest(self, table_id, replace(asker, player=banker), round)

    patch.setattr(ShownTables, "round", told)


def stream_shows_the_hole_card(patch: pytest.MonkeyPatch) -> None:
    honest = ShownTables.changes

    async def told(
        self: ShownTables, table_id: str, asker: Asker, *rest: Any
    ) -> AsyncGenerator[Shown | None, None]:
        async for shown in honest(self, table_id, asker, *rest):
            if shown:
                table = await self._reader.table(table_id, asker)
                card = hole(table.state, table.chance)
                yield replace(shown, rule_set_id=shown.rule_set_id + card)
            else:
                yield None

    patch.setattr(ShownTables, "changes", told)


def log_names_the_hole_card(patch: pytest.MonkeyPatch) -> None:
    publish = Handler._tell

    def tell(handler: Handler, engine: Any) -> None:
        publish(handler, engine)
        structlog.get_logger().debug("committed", card=hole(engine.state, engine.chance))

    patch.setattr(Handler, "_tell", tell)


def row_names_the_hole_card(patch: pytest.MonkeyPatch) -> None:
    def further(*given: Any) -> Any:
        append, after = advance(*given)
        spy = SeatRow(append.row.table_id, f"spy-{hole(after.state, after.chance)}", 1)
        return replace(append, seats=(*append.seats, spy)), after

    patch.setattr("service.live.execute.advance", further)


@pytest.mark.parametrize(
    ("plant", "name"),
    [
        (history_is_told_as_the_banker_sees_it, "rotating-banker"),
        (stream_shows_the_hole_card, "six-deck-h17"),
        (log_names_the_hole_card, "twenty-rounds"),
        (row_names_the_hole_card, "ranked-match"),
    ],
)
async def test_a_leak_in_a_service_is_found(
    plant: Plant, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins = twins_of(TABLES[name], Phase.TURNS, Random(name))
    plant(monkeypatch)
    async with twin_services(twins) as services:
        with pytest.raises(Leak):
            await Play(services, twins, TABLES[name]).all()
