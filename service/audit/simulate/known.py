"""Known figures: the exact values of presets and their variants, from a file.

A file has one section per preset, with its figures under `fresh_shoe`; and `variants_exact`, the
edges of variants, each named by the preset and the difference (`twenty-rounds with soft_17 hit`).
All are for a fresh shoe every round: never compare them with a run that has a cut card. For such
runs a preset has only the edge, under `cut_card_75_percent`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from service.audit.simulate.figures import FREQUENCIES
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


class Known(msgspec.Struct, frozen=True):
    """The known figures of one rule set with a fresh shoe every round; None or empty: not known."""

    edge_exact: float
    total_staked_per_round: float | None = None
    frequencies: dict[str, float] = {}
    rounds_ending_with_hands: dict[int, float] = {}
    net_histogram: dict[float, float] = {}
    dealer_final_when_dealer_plays_out: dict[str, dict[str, float]] = {}


def read_known(path: Path, preset: str, options: Mapping[str, str], policy: str) -> Known:
    """The figures of a preset with these options, played with that stress policy (empty: none).

    Raises KnownError if the file can't be read or does not have it.
    """
    try:
        figures = yaml.safe_load(path.read_text())
        return _known(figures, preset, dict(options), policy)
    except (OSError, yaml.YAMLError, KeyError, TypeError, msgspec.ValidationError) as error:
        raise KnownError(f"{path}: {type(error).__name__}: {error}") from error


def read_cut_card_edge(path: Path, preset: str) -> Known:
    """The edge of a preset that is played endlessly, each shoe to the cut card.

    Raises KnownError if the file can't be read or does not have it.
    """
    try:
        figures = yaml.safe_load(path.read_text())["presets"][preset]["cut_card_75_percent"]
        return Known(edge_exact=figures["edge_simulated"])
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise KnownError(f"{path}: {type(error).__name__}: {error}") from error


def variants(names: Mapping[str, float]) -> dict[str, tuple[str, dict[str, str], str]]:
    """The preset, the options and the stress policy of each named variant."""
    return {name: _VARIANTS[name] for name in names}


def _known(figures: Any, preset: str, options: dict[str, str], policy: str) -> Known:
    if not options and not policy:
        section = figures["presets"].get(_SAME_FIGURES.get(preset, preset))
        if section is None:
            raise KnownError(f"no figures are known for {preset}")
        known = msgspec.convert(section["fresh_shoe"], Known, strict=False)
        if unknown := known.frequencies.keys() - FREQUENCIES.keys():
            raise KnownError(f"unknown figures: {', '.join(sorted(unknown))}")
        return known
    for name, what in variants(figures["variants_exact"]).items():
        if what == (preset, options, policy):
            return Known(edge_exact=figures["variants_exact"][name])
    raise KnownError(f"no figures are known for {preset} with {options or policy}")
