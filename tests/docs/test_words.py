"""Texts use the words of the glossary, and refer only to pages and sections that exist."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs/glossary.md"

PLACES = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs",
    "db",
    "deploy",
    "proto",
    "service",
]
"""The files and folders whose texts are checked."""

WRITTEN_BY_PEOPLE = {".md", ".py", ".proto", ".js", ".html"}
GENERATED = re.compile(r"_pb2|/openapi\.|_routes\.")
GENERATED_PART = re.compile(r"<!-- [\w ]+: made from the code.*?<!-- end of [\w ]+ -->", re.DOTALL)


def files() -> Iterator[Path]:
    for place in PLACES:
        path = ROOT / place
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            name = file.relative_to(ROOT).as_posix()
            wanted = file.suffix in WRITTEN_BY_PEOPLE and not GENERATED.search(name)
            if wanted and file != GLOSSARY:
                yield file


FILES = list(files())
PRONOUNS = ["he", "his", "him", "himself", "she", "her", "herself"]
"""A player may be anyone. The glossary says so without naming them."""


def prose(file: Path) -> str:
    """The text that people read, on one line: all of a page, comments and strings of code."""
    text = file.read_text()
    if file.suffix == ".py":
        text = "\n.\n".join([*_strings(text), "\n".join(_comments(text))])
    elif file.suffix == ".md":
        text = GENERATED_PART.sub("", text)  # its source is checked where it is
    return " ".join(re.sub(r"^\s*(?://|#)", "", text, flags=re.MULTILINE).split())


def _strings(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _comments(code: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def forbidden() -> list[str]:
    """The words in code in the last column of the glossary's tables."""
    rows = re.findall(r"^\|.*\| ?(.*?) ?\|$", GLOSSARY.read_text(), re.MULTILINE)
    return [word for last in rows for word in re.findall(r"`([^`]+)`", last)] + PRONOUNS


def pattern(words: list[str]) -> re.Pattern[str]:
    def one(word: str) -> str:
        parts = [re.escape(part).replace(r"\ ", r"\s+") for part in word.split(" … ")]
        return r"\b[^.;:]{1,60}?\b".join(parts)

    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(one, words))})(?![\w-])", re.IGNORECASE)


FORBIDDEN = pattern(forbidden())


def test_the_glossary_forbids_words() -> None:
    assert {"he", "sworn", "held … against", "so many", "least bet"} <= set(forbidden())


@pytest.mark.parametrize(
    "text",
    [
        "A shoe is sworn to",
        "Sworn",
        "the player and his stack",
        "cards are held against the seed",
        "held, one by one, against the root",
        "as RFC 4180 has it",
        "so  many",
    ],
)
def test_a_forbidden_word_is_found(text: str) -> None:
    assert FORBIDDEN.search(text)


@pytest.mark.parametrize("text", ["the", "hers", "his-tory", "held. Against", "a looker", "this"])
def test_other_words_are_not_found(text: str) -> None:
    assert not FORBIDDEN.search(text)


def test_comments_and_strings_of_code_are_read(tmp_path: Path) -> None:
    code = '"""Doc\nstring."""\n\nhis = f"one {1} two"  # three\n# four\nx = "fi" "ve"\n'
    (tmp_path / "code.py").write_text(code)
    text = prose(tmp_path / "code.py")
    assert [
        word for word in ("Doc string.", "one", "two", "three four", "five") if word in text
    ] == [
        "Doc string.",
        "one",
        "two",
        "three four",
        "five",
    ]
    assert "his" not in text


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_forbidden_word_occurs(file: Path) -> None:
    text = prose(file)
    found = [text[max(0, one.start() - 40) : one.end() + 20] for one in FORBIDDEN.finditer(text)]
    assert found == []


# --- references

NUMBERS = r"(\d+(?:(?:, | and | to )+\d+)*)"
REFERENCE = re.compile(rf"(?:(\S+), )?\b(section|step)s? {NUMBERS}")
NOT_HERE = re.compile(
    r"\b(?:DESIGN|STYLE|RULES|HANDS|SPEED)\.md|\bthe design, section|rules of play, sec"
)


def numbered(page: Path) -> dict[str, set[int]]:
    """The numbers of a page's sections and steps."""
    text = page.read_text()
    return {
        "section": {int(one) for one in re.findall(r"^## (\d+)\. ", text, re.MULTILINE)},
        "step": {int(one) for one in re.findall(r"^(\d+)\. ", text, re.MULTILINE)},
    }


def dangling(text: str, file: Path) -> Iterator[str]:
    """References to pages that the repository lacks, or to numbers that their pages lack."""
    yield from NOT_HERE.findall(text)
    for page, kind, numbers in REFERENCE.findall(text):
        found = re.search(r"[\w/]+\.md", page)
        if page.isdecimal():  # RFC 6962, section 2.1
            continue
        there = (
            file
            if not found
            else (file.parent / found[0], ROOT / found[0])[found[0].startswith("docs/")]
        )
        known = numbered(there)[kind] if there.is_file() and there.suffix == ".md" else set()
        named = {int(one) for one in re.findall(r"\d+", numbers)}
        if not named <= known:
            yield f"{page} {kind} {numbers}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_references_lead_somewhere(file: Path) -> None:
    assert list(dangling(prose(file), file)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Source: the design, section 4.",
        "as DESIGN.md says",
        "Source: docs/rules.md, section 12.",
        "Source: docs/rules.md, sections 3 and 99.",
        "Source: docs/fairness.md, step 13.",
        "Source: docs/missing.md, section 1.",
        "see section 4",
    ],
)
def test_a_dangling_reference_is_found(text: str) -> None:
    assert list(dangling(text, ROOT / "service/errors.py")) != []


@pytest.mark.parametrize(
    "text",
    [
        "docs/rules.md, sections 3, 7 and 8.",
        "docs/fairness.md, steps 2 to 12.",
        "RFC 6962, section 2.1",
    ],
)
def test_a_good_reference_is_not_found(text: str) -> None:
    assert list(dangling(text, ROOT / "service/errors.py")) == []


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as Git hosts make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    "page",
    [file for file in FILES if file.suffix == ".md"],
    ids=lambda file: str(file.relative_to(ROOT)),
)
def test_links_to_headings_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", page.read_text())
    assert [
        f"{path}#{name}"
        for path, name in links
        if name not in anchors(page.parent / path if path else page)
    ] == []
