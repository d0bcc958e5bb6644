"""The schema of events and commands, which only ever grows.

`python -m tests.replay.schema` writes `schema.json` anew, if nothing that is in it was taken away
or changed; else it says what, and exits 1. What may come is a new event or command, a new value of
an enum, and a new field of type `T | UnsetType = UNSET`, which is not written while it is unset; a
new option of a rule set has a default instead, at which it is not written. So what was recorded
before reads as it did, and is written to the byte as it was.
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from service.rules.rule_set import RuleSet
from service.table.commands import AnyCommand
from service.table.events import AnyEvent

FILE = Path(__file__).parent / "schema.json"
COMMENTS = ("title", "description")
WITH_DEFAULTS = {one.__name__ for one in (RuleSet,) if one.__struct_config__.omit_defaults}
"""Records whose fields are not written at their defaults."""

Schema = dict[str, Any]


def current_schema() -> Schema:
    """The schema of this version: the names of events and commands, and every record's form."""
    unions, records = msgspec.json.schema_components([AnyEvent, AnyCommand], ref_template="{name}")
    events, commands = ([one["$ref"] for one in union["anyOf"]] for union in unions)
    schema: Schema = {
        "events": events,
        "commands": commands,
        "records": {
            name: {key: value for key, value in form.items() if key not in COMMENTS}
            for name, form in sorted(records.items())
        },
    }
    written: Schema = json.loads(json.dumps(schema))
    return written


def frozen_schema() -> Schema:
    """The schema as it was frozen, and has grown since."""
    schema: Schema = json.loads(FILE.read_text())
    return schema


def taken_away(frozen: Schema, now: Schema) -> list[str]:
    """What the frozen schema has and this one has not, or not so."""
    lost = [f"{name} is gone" for name in frozen["events"] if name not in now["events"]]
    lost += [f"{name} is gone" for name in frozen["commands"] if name not in now["commands"]]
    for name, form in frozen["records"].items():
        if name in now["records"]:
            changed = _changed(form, now["records"][name], defaults=name in WITH_DEFAULTS)
            lost += [f"{name}: {what}" for what in changed]
        elif f"{name} is gone" not in lost:
            lost.append(f"{name} is gone")
    return lost


def _changed(frozen: Schema, now: Schema, *, defaults: bool) -> list[str]:
    if "properties" not in frozen:
        gone = [value for value in frozen.get("enum", []) if value not in now.get("enum", [])]
        return [f"the value {value!r} is gone" for value in gone]
    fields, fields_now = frozen["properties"], now.get("properties", {})
    lost = [f"the field {name} is gone" for name in fields if name not in fields_now]
    lost += [
        f"the field {name} is another one"
        for name in fields
        if name in fields_now
        and (fields[name], name in frozen["required"])
        != (fields_now[name], name in now["required"])
    ]
    if not lost and [name for name in fields_now if name in fields] != list(fields):
        lost.append("its fields are in another order")
    if defaults:
        lost += [
            f"the new option {name} has to have a default"
            for name in fields_now
            if name not in fields and name in now["required"]
        ]
    else:
        lost += [
            f"the new field {name} has to be unset by default"
            for name in fields_now
            if name not in fields and (name in now["required"] or "default" in fields_now[name])
        ]
    return lost


def main() -> int:
    """Let the file grow."""
    now = current_schema()
    lost = taken_away(frozen_schema(), now) if FILE.exists() else []
    for what in lost:
        print(what)
    if not lost:
        FILE.write_text(json.dumps(now, indent=1) + "\n")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
