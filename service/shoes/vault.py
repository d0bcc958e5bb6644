"""The vault: opens sealed seeds into the chance of a table, and seals newly drawn seeds."""

from collections.abc import Callable, Sequence

from service.journal.ports import SealedShoe
from service.rules.rule_set import RuleSet
from service.shoes.chance import SeededChance
from service.shoes.sealing import SealingKeys, UnsealedSeeds


class Vault:
    """Builds the chance of a table from its sealed seeds, and seals the seeds that it draws."""

    def __init__(self, keys: SealingKeys, new_seed: Callable[[], bytes]) -> None:
        self._keys = keys
        self._new_seed = new_seed

    def chance(self, table_id: str, rules: RuleSet, sealed: Sequence[SealedShoe]) -> SeededChance:
        """The chance of a table; it raises SealBroken when it needs a seed that can't be opened."""
        return SeededChance(
            table_id, rules.decks, UnsealedSeeds(self._keys, sealed), self._new_seed
        )

    def revealed(self, table_id: str, rules: RuleSet, shoe: int, seed: bytes) -> SeededChance:
        """The chance of a shoe whose seed is public; no key is needed."""
        return SeededChance(table_id, rules.decks, {shoe: seed}, self._new_seed)

    def seal_drawn(
        self, table_id: str, version: int, chance: SeededChance
    ) -> tuple[SealedShoe, ...]:
        """The seeds drawn since the last call, sealed, for the row of that version."""
        drawn = tuple(
            self._keys.seal(table_id, number, version, seed)
            for number, seed in chance.drawn.items()
        )
        chance.drawn.clear()
        return drawn
