"""The shoe: its cut card, when a fresh one comes, and why it never runs out.

Rule: the cut card lies at ceil(`penetration` x cards). At the deal a round starts from the shoe
while fewer cards than that have been dealt; otherwise a fresh shoe comes first. With a penetration
of 0 every round has a fresh shoe. A shoe never runs out within a round, because a rule set is
refused when the cards left at the latest start are fewer than the worst round of a full table.

Options: `decks`, `penetration`, `max_seats`, `max_hands`. Source: docs/rules.md, section 5.
"""

from service.rules.cards import RANKS
from service.rules.rule_set import RuleSet

PACK_SIZE = 52


def cards_in_shoe(rules: RuleSet) -> int:
    """How many cards a full shoe holds."""
    return rules.decks * PACK_SIZE


def cut_card(rules: RuleSet) -> int:
    """How many cards lie before the cut card (0: every round has a fresh shoe)."""
    return -(-rules.penetration * cards_in_shoe(rules) // 100)


def needs_fresh_shoe(rules: RuleSet, shoe: int, dealt: int) -> bool:
    """Whether a fresh shoe comes before this deal: no shoe yet, or the cut card has come out."""
    return shoe == 0 or dealt >= cut_card(rules)


def cards_at_latest_start(rules: RuleSet) -> int:
    """How many cards are left when a round starts as late as the cut card allows."""
    cards = cards_in_shoe(rules)
    return cards - cut_card(rules) + 1 if rules.penetration else cards


def worst_round(decks: int, hands: int) -> int:
    """The most cards that `hands` hands and the dealer can take from a shoe.

    The lowest cards come first, within 20 pips a hand and 16 for the dealer, and then one last
    card for each of them.

    >>> worst_round(6, 4), worst_round(4, 4)
    (61, 53)
    """
    pips_left = 20 * hands + 16
    cards = 0
    for index in range(len(RANKS)):
        count = min(index + 1, 10)
        taken = min(4 * decks, pips_left // count)
        cards += taken
        pips_left -= taken * count
    return cards + hands + 1
