"""Whether a shoe that was published holds, in Python: by the description alone, and by what
`croupier verify` uses."""

from hashlib import sha256

from service.audit.verify.check_failed import CheckFailed
from service.audit.verify.shoes import SeenShoe
from service.table.chance import ClientSeed
from service.table.events import ShoeOpened
from tests.fairness import recompute
from tests.fairness.published import Published


def holds_by_the_description(shoe: Published) -> bool:
    """By `recompute`, which imports nothing of the project."""
    table_id, number, decks = shoe["tableId"], shoe["number"], shoe["decks"]
    return (
        1 <= decks <= 8
        and _cards_are_proved(shoe)
        and (not shoe["seed"] or _seed_gives_all(shoe, table_id, number, decks))
    )


def _cards_are_proved(shoe: Published) -> bool:
    return all(
        0 <= card["position"] < 52 * shoe["decks"]
        and recompute.proved_root(
            recompute.leaf_of(
                shoe["tableId"], shoe["number"], card["position"], card["card"], card["salt"]
            ),
            card["position"],
            52 * shoe["decks"],
            [bytes.fromhex(step) for step in card["path"]],
        )
        == bytes.fromhex(shoe["root"])
        for card in shoe["cards"]
    )


def _seed_gives_all(shoe: Published, table_id: str, number: int, decks: int) -> bool:
    seed = bytes.fromhex(shoe["seed"])
    given = [(one["seat"], one["playerId"], one["seed"]) for one in shoe["clientSeeds"]]
    order = recompute.shoe_order(seed, table_id, number, decks, given)
    salts = [recompute.salt_of(seed, table_id, number, place) for place in range(len(order))]
    leaves = [
        recompute.leaf_of(table_id, number, place, card, salts[place])
        for place, card in enumerate(order)
    ]
    return (
        sha256(seed).hexdigest() == shoe["commitment"]
        and recompute.root_of(leaves).hex() == shoe["root"]
        and all(order[card["position"]] == card["card"] for card in shoe["cards"])
    )


def holds_by_the_auditor(shoe: Published) -> bool:
    """By the check of shoes of `croupier verify`, as of a journal that holds them."""
    opened = ShoeOpened(
        shoe=shoe["number"],
        cards=52 * shoe["decks"],
        cut_card=1,
        commitment=shoe["commitment"],
        next_commitment="",
        root=shoe["root"],
        client_seeds=tuple(
            ClientSeed(one["seat"], one["playerId"], one["seed"]) for one in shoe["clientSeeds"]
        ),
    )
    seen = SeenShoe(opened, version=1)
    for card in shoe["cards"]:
        seen.see(card["position"], card["card"], card["salt"], version=2)
    paths = {card["position"]: tuple(map(bytes.fromhex, card["path"])) for card in shoe["cards"]}
    try:
        seen.hold_against_root(paths, shoe["tableId"])
        if shoe["seed"]:
            seen.hold_against(bytes.fromhex(shoe["seed"]), shoe["tableId"], shoe["decks"], 3)
    except CheckFailed:
        return False
    return True
