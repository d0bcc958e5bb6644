"""The REST routes of rule_set_service.proto: generated from it, never edited.

HTTP method, path, RPC, request, response, whether it is a stream of them; a POST has the
request as its body.
"""

from croupier.v1 import rule_set_service_pb2 as messages

ROUTES = (
    (
        "GET",
        "/v1/ruleSets",
        "/croupier.v1.RuleSetService/ListRuleSets",
        messages.ListRuleSetsRequest,
        messages.ListRuleSetsResponse,
        False,
    ),
    (
        "GET",
        "/v1/ruleSets/{rule_set_id}",
        "/croupier.v1.RuleSetService/GetRuleSet",
        messages.GetRuleSetRequest,
        messages.GetRuleSetResponse,
        False,
    ),
    (
        "POST",
        "/v1/ruleSets",
        "/croupier.v1.RuleSetService/CreateRuleSet",
        messages.CreateRuleSetRequest,
        messages.CreateRuleSetResponse,
        False,
    ),
)
