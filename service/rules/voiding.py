"""Voiding: how the chips of a settled round go back.

Rule: players who won pay back what they won, as far as their stacks reach; players who lost get
back what they lost. A house makes up for what can't be recovered. With a rotating banker the chips
of the table stay what they are: what is recovered is shared among those who lost, in proportion to
their losses and rounded down, and the units left over go one by one to the first of them by seat.

Options: `banker`. Source: docs/rules.md, section 11.
"""

from collections.abc import Sequence

from service.rules.rule_set import Banker


def reversals(banker: Banker, nets: Sequence[int], within_reach: Sequence[int]) -> tuple[int, ...]:
    """How the void of a settled round changes each stack, in minor units.

    `nets` is what the round brought each seat, ascending; `within_reach` what its player has now
    that can be taken back.

    >>> reversals(Banker.ROTATING, (500, -300, -200), (251, 0, 0))
    (-251, 151, 100)
    >>> reversals(Banker.HOUSE, (500, -300, -200), (251, 0, 0))
    (-251, 300, 200)
    """
    taken = [min(max(net, 0), reach) for net, reach in zip(nets, within_reach, strict=True)]
    lost = [max(-net, 0) for net in nets]
    given = lost if banker is Banker.HOUSE else _shares(sum(taken), lost)
    return tuple(back - gone for back, gone in zip(given, taken, strict=True))


def _shares(chips: int, lost: Sequence[int]) -> list[int]:
    """Chips shared in proportion to losses that they do not exceed."""
    total = sum(lost)
    given = [loss * chips // total if total else 0 for loss in lost]
    left_over = chips - sum(given)
    for place, loss in enumerate(lost):
        if left_over and given[place] < loss:
            given[place] += 1
            left_over -= 1
    return given
