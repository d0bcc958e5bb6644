"""The files that a public host and the tools of contributors read say what is so."""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml
from packaging.specifiers import SpecifierSet

from service.rest.generator.__main__ import GENERATED, PACKAGE, PROTO

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
WORKFLOW = ROOT / ".github/workflows/ci.yml"


def checked_job() -> dict[str, Any]:
    job: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text())["jobs"]["all"]
    return job


def local_hooks() -> list[dict[str, Any]]:
    (repo,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repo["repo"] == "local"
    hooks: list[dict[str, Any]] = repo["hooks"]
    return hooks


def test_the_workflow_has_the_form_that_the_host_reads() -> None:
    check = [f"{TOOLS}/check-jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*check, str(WORKFLOW)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_workflow_runs_what_must_hold_before_a_change_lands() -> None:
    runs = [step["run"] for step in checked_job()["steps"] if "run" in step]
    wanted = ["make check", ".venv/bin/python .ci/serve-from-wheel", "make test"]
    assert runs == ["make install", *wanted]
    landing = (ROOT / ".ci/run").read_text()
    assert landing.splitlines()[-len(wanted) :] == wanted


def test_the_workflow_runs_on_the_oldest_python_and_the_newest() -> None:
    oldest, newest = checked_job()["strategy"]["matrix"]["python"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    promised = SpecifierSet(project["requires-python"])
    assert oldest in promised
    major, minor = map(int, oldest.split("."))
    assert f"{major}.{minor - 1}" not in promised
    assert newest == "3.x"


def test_the_hooks_run_tools_of_the_environment_and_fetch_nothing() -> None:
    for hook in local_hooks():
        assert hook["language"] == "system"
        called = [word.strip("'") for word in hook["entry"].split() if ".venv/bin/" in word]
        assert called
        assert [word for word in called if not (TOOLS / Path(word).name).exists()] == []


def test_the_hooks_have_the_form_that_their_tool_reads() -> None:
    check = [f"{TOOLS}/pre-commit", "validate-config", f"{ROOT}/.pre-commit-config.yaml"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def marks(files: list[Path]) -> set[str]:
    """What git knows of these files: whether they count as generated."""
    names = [str(file.relative_to(ROOT)) for file in files]
    ask = ["git", "check-attr", "linguist-generated", *names]
    said = subprocess.check_output(ask, cwd=ROOT, text=True).splitlines()
    assert len(said) == len(files)
    return {line.rpartition(": ")[2] for line in said}


def test_what_is_generated_is_marked_as_such() -> None:
    files = [file for pattern in GENERATED for file in (PROTO / PACKAGE).glob(pattern)]
    assert len(files) > 20
    assert marks([*files, PROTO / "released.binpb", ROOT / "requirements.lock"]) == {"set"}


def test_what_is_written_by_hand_is_not() -> None:
    by_hand = [*(PROTO / PACKAGE).glob("*.proto"), ROOT / "docs/architecture.md"]
    assert marks(by_hand) == {"unspecified"}
