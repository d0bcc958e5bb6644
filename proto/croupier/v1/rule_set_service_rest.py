"""The REST routes of rule_set_service.proto: generated from it, never edited.

HTTP method, path, RPC, request, response; a POST has the request as its body.
"""

from croupier.v1 import rule_set_service_pb2 as messages

ROUTES = (
    (
        "GET",
        "/v1/ruleSets",
        "/croupier.v1.RuleSetService/ListRuleSets",
        messages.ListRuleSetsRequest,
        messages.ListRuleSetsResponse,
    ),
    (
        "GET",
        "/v1/ruleSets/{rule_set_id}",
        "/croupier.v1.RuleSetService/GetRuleSet",
        messages.GetRuleSetRequest,
        messages.GetRuleSetResponse,
    ),
    (
        "POST",
        "/v1/ruleSets",
        "/croupier.v1.RuleSetService/CreateRuleSet",
        messages.CreateRuleSetRequest,
        messages.CreateRuleSetResponse,
    ),
)
