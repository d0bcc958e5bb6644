"""Serves `RuleSetService`: the presets, and the rule sets that an operator made.

Also finds the rule set that a table is opened from.
"""

from croupier.v1 import rule_set_service_pb2 as pb

from service.api.forms import page_size
from service.api.wire.rule_sets import rule_set_to_wire, unknown_rule_set, with_overrides
from service.calls.access import Identity
from service.calls.paging import Id, page_key, page_token
from service.calls.pipeline import Context
from service.journal.ports import Catalog, Clock, RuleSetRow
from service.journal.text import rule_set_of, to_text
from service.rules.presets import PRESETS
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import RuleSet

_LIST = "ruleSets"


class RuleSets:
    """The rule sets that one can open a table from."""

    def __init__(self, catalog: Catalog, clock: Clock) -> None:
        self._catalog = catalog
        self._clock = clock

    async def find(self, identity: Identity, rule_set_id: str) -> RuleSet:
        """A preset, or the operator's own rule set of that id; refused if there is none."""
        preset = PRESETS.get(rule_set_id)
        if preset:
            return preset
        row = await self._catalog.rule_set(identity.operator, rule_set_id)
        if row is None:
            raise unknown_rule_set(rule_set_id)
        return rule_set_of(row.rule_set)

    async def ListRuleSets(
        self, request: pb.ListRuleSetsRequest, context: Context
    ) -> pb.ListRuleSetsResponse:
        size = page_size(request)
        key = page_key(_LIST, request.page_token, tuple[bool, Id])
        preset, after = key or (True, "")
        rows = [
            (name, True, rules)
            for name, rules in sorted(PRESETS.items())
            if preset and name > after
        ]
        own = await self._catalog.rule_sets(
            context.caller.operator, "" if preset else after, size + 1
        )
        rows += [(row.rule_set_id, False, rule_set_of(row.rule_set)) for row in own]
        page = rows[:size]
        return pb.ListRuleSetsResponse(
            rule_sets=[rule_set_to_wire(*row) for row in page],
            next_page_token=(
                page_token(_LIST, (page[-1][1], page[-1][0])) if len(rows) > size else ""
            ),
        )

    async def GetRuleSet(
        self, request: pb.GetRuleSetRequest, context: Context
    ) -> pb.GetRuleSetResponse:
        rule_set_id = request.rule_set_id
        rules = await self.find(context.caller, rule_set_id)
        return pb.GetRuleSetResponse(
            rule_set=rule_set_to_wire(rule_set_id, rule_set_id in PRESETS, rules)
        )

    async def CreateRuleSet(
        self, request: pb.CreateRuleSetRequest, context: Context
    ) -> pb.CreateRuleSetResponse:
        rule_set_id = request.rule_set_id
        base = await self.find(context.caller, request.base_rule_set_id)
        rules = with_overrides(base, request.overrides)
        if rule_set_id in PRESETS:
            raise _exists(rule_set_id)
        text = to_text(rules)
        now = self._clock.now()
        row = RuleSetRow(context.caller.operator, rule_set_id, text, now)
        stored = await self._catalog.create_rule_set(row)
        if stored.rule_set != text:
            raise _exists(rule_set_id)
        return pb.CreateRuleSetResponse(
            rule_set=rule_set_to_wire(rule_set_id, False, rules), replayed=stored != row
        )


def _exists(rule_set_id: str) -> Refused:
    return Refused(
        Reason.RULE_SET_EXISTS,
        f"rule set {rule_set_id!r} exists, with other options",
        rule_set_id=rule_set_id,
    )
