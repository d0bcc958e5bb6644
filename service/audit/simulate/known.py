"""Known figures: the exact values of presets and their variants, from a file.

A file has one section per preset, with its figures under `fresh_shoe`; and `variants_exact`, the
edges of variants, each named by the preset and the difference (`twenty-rounds with soft_17 hit`).
All are for a fresh shoe every round: never compare them with a run that has a cut card. For such
runs a preset has only the edge, under `cut_card_75_percent`.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec

from service.audit.simulate.figures import FINALS, FREQUENCIES, UPCARDS
from service.audit.simulate.yaml_file import read_sections, section
from service.errors import Mendable

ENDLESS: dict[str, str] = {"rounds": "0", "ranking": "none", "starting_stack": "1000000000"}
"""The conditions of all known figures, as options: no limit on rounds, stacks that never run
out."""

FRESH_SHOE: dict[str, str] = {"penetration": "0", **ENDLESS}
"""The conditions of nearly all known figures: also a fresh shoe every round."""

_SAME_FIGURES = {"ranked-match": "twenty-rounds"}
"""Presets that, with a single player, have the figures of another preset."""

_VARIANTS: dict[str, tuple[str, dict[str, str], str]] = {
    "twenty-rounds with soft_17 hit": ("twenty-rounds", {"soft_17": "hit"}, ""),
    "twenty-rounds with surrender late": ("twenty-rounds", {"surrender": "late"}, ""),
    "twenty-rounds with triple_sevens": ("twenty-rounds", {"triple_sevens": "2:1/3:1"}, ""),
    "six-deck-h17 with resplit_aces": ("six-deck-h17", {"resplit_aces": "yes"}, ""),
    "six-deck-h17 with max_hands 2": ("six-deck-h17", {"max_hands": "2"}, ""),
    "six-deck-h17, always splitting tens (by value)": (
        "six-deck-h17",
        {"split_by": "value"},
        "always_split_tens",
    ),
}
"""The named variants: preset, options, stress policy."""


class KnownError(Mendable):
    """A file of known figures can't be read, or has none for the requested rule set."""


Share = Annotated[float, msgspec.Meta(ge=0)]
"""How often something happens, a round."""


class Known(msgspec.Struct, frozen=True):
    """The known figures of one rule set with a fresh shoe every round; None or empty: not known."""

    edge_exact: float
    total_staked_per_round: float | None = None
    frequencies: dict[str, Share] = {}
    rounds_ending_with_hands: dict[int, Share] = {}
    net_histogram: dict[float, Share] = {}
    dealer_final_when_dealer_plays_out: dict[str, dict[str, Share]] = {}


def read_known(path: Path, preset: str, options: Mapping[str, str], policy: str) -> Known:
    """The figures of a preset with these options, played with that stress policy (empty: none).

    Raises KnownError if the file has another form or does not have it, FileTrouble if it can't be
    read.
    """
    figures = read_sections(path, KnownError)
    with _naming(path):
        return _known(figures, preset, dict(options), policy)


def read_cut_card_edge(path: Path, preset: str) -> Known:
    """The edge of a preset that is played endlessly, each shoe to the cut card.

    Raises KnownError if the file has another form or does not have it, FileTrouble if it can't be
    read.
    """
    figures = read_sections(path, KnownError)
    with _naming(path):
        of_preset = _of_preset(figures, preset)
        simulated = section(of_preset, "cut_card_75_percent", _Simulated, KnownError)
        return Known(edge_exact=simulated.edge_simulated)


def variants(names: Mapping[str, float]) -> dict[str, tuple[str, dict[str, str], str]]:
    """The preset, the options and the stress policy of each of these variants, if it is known."""
    if unknown := names.keys() - _VARIANTS.keys():
        raise KnownError(f"unknown variants: {', '.join(sorted(unknown))}")
    return {name: _VARIANTS[name] for name in names}


class _Simulated(msgspec.Struct, frozen=True):
    edge_simulated: float


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except KnownError as error:
        raise KnownError(f"{path}: {error}") from error


def _of_preset(figures: dict[str, Any], preset: str) -> dict[str, Any]:
    presets = section(figures, "presets", dict[str, Any], KnownError)
    if preset not in presets:
        raise KnownError(f"no figures are known for {preset}")
    return section(presets, preset, dict[str, Any], KnownError)


def _known(figures: dict[str, Any], preset: str, options: dict[str, str], policy: str) -> Known:
    if not options and not policy:
        of_preset = _of_preset(figures, _SAME_FIGURES.get(preset, preset))
        known = section(of_preset, "fresh_shoe", Known, KnownError)
        if unknown := known.frequencies.keys() - FREQUENCIES.keys():
            raise KnownError(f"unknown figures: {', '.join(sorted(unknown))}")
        for upcard, shares in known.dealer_final_when_dealer_plays_out.items():
            if upcard not in UPCARDS or shares.keys() != set(FINALS):
                raise KnownError(f"dealer's totals under {upcard}: there are {', '.join(FINALS)}")
        return known
    edges = section(figures, "variants_exact", dict[str, float], KnownError)
    for name, what in variants(edges).items():
        if what == (preset, options, policy):
            return Known(edge_exact=edges[name])
    raise KnownError(f"no figures are known for {preset} with {options or policy}")
