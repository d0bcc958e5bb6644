"""A guest who plays over REST, and remembers what he sent and what was accepted."""

import random
from typing import Any, NamedTuple

import httpx

BETS = (100, 1000, 2500)


class Sent(NamedTuple):
    """A command: where it goes, and its body, which holds its request id."""

    path: str
    body: dict[str, Any]

    @property
    def request_id(self) -> str:
        return str(self.body["requestId"])


class RestPlayer:
    """Plays at one table. `accepted` are the request ids that took effect, in order."""

    def __init__(self, rest: str, choose: random.Random) -> None:
        self.rest = rest
        self._choose = choose
        self._sent = 0
        self.table_id = ""
        self.accepted: list[str] = []
        self.seen: dict[str, Any] = {}
        """The table as he saw it last."""
        self._client = httpx.Client(timeout=30, verify=False)
        token = self.ask("POST", "/v1/guestTokens", {})["token"]
        self._client.headers["authorization"] = f"Bearer {token}"

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """One call; httpx.HTTPStatusError with the answer's text for any status but 200."""
        answer = self._client.request(method, self.rest + path, json=body)
        if answer.status_code != httpx.codes.OK:
            raise httpx.HTTPStatusError(answer.text, request=answer.request, response=answer)
        return dict(answer.json())

    def opening(self, rule_set_id: str, overrides: dict[str, Any]) -> Sent:
        """The command that opens his table."""
        return Sent(
            "/v1/tables",
            {"requestId": self._new_id(), "ruleSetId": rule_set_id, "overrides": overrides},
        )

    def next_command(self) -> Sent:
        """A bet, or a legal action at random, as the table stands."""
        your = self.seen["your"]
        body: dict[str, Any] = {"requestId": self._new_id()}
        if your["decision"]:
            action = self._choose.choice(your["legalActions"])["action"]
            body |= {"decision": your["decision"], "action": action}
            return Sent(f"/v1/tables/{self.table_id}:act", body)
        round_number, stake = your["bet"]["round"], str(self._choose.choice(BETS))
        body |= {"round": round_number, "stake": stake, "clientSeed": f"seed-{round_number}"}
        return Sent(f"/v1/tables/{self.table_id}:bet", body)

    def closing(self) -> Sent:
        """The command that closes his table."""
        return Sent(f"/v1/tables/{self.table_id}:close", {"requestId": self._new_id()})

    def send(self, command: Sent) -> dict[str, Any]:
        """Send a command, perhaps again, and note that it is in."""
        answer = self.ask("POST", command.path, command.body)
        if not answer["replayed"]:
            self.accepted.append(command.request_id)
        self.table_id = answer["table"]["tableId"]
        self.seen = answer["table"]
        return answer

    def table(self) -> dict[str, Any]:
        """The table as it stands."""
        return dict(self.ask("GET", f"/v1/tables/{self.table_id}")["table"])

    def my_tables(self) -> list[str]:
        """The ids of the tables where he sits."""
        return [one["tableId"] for one in self.ask("GET", "/v1/tables")["tables"]]

    def journal(self) -> list[dict[str, Any]]:
        """Every row of the table's journal."""
        rows: list[dict[str, Any]] = []
        token = ""
        while True:
            page = self.ask(
                "GET", f"/v1/tables/{self.table_id}/events?pageSize=1000&pageToken={token}"
            )
            rows += page["rows"]
            token = page["nextPageToken"]
            if not token:
                return rows

    def close(self) -> None:
        """Let the connections go."""
        self._client.close()

    def _new_id(self) -> str:
        self._sent += 1
        return f"request-{self._sent}"
