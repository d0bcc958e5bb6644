"""What `croupier serve` prints: where it listens, where the data is, and a round to paste."""


def first_screen(grpc: str, rest: str, data: str, guest: tuple[str, str] | None) -> str:
    """The text for these addresses (`host:port`).

    `guest` is a token and the id of the table that its request `open-1` opens; without one no calls
    are shown.
    """
    lines = [
        "Croupier is serving.",
        "",
        f"  gRPC   {grpc}",
        f"  REST   http://{rest}   (the API: http://{rest}/docs)",
        f"  data   {data}",
        "",
    ]
    if guest:
        lines += ["Play a round with curl; these lines work when pasted:", ""]
        lines += [f"  {line}" for line in _round(f"http://{rest}/v1/tables", *guest)]
        lines.append("")
    lines.append("Stop with Ctrl-C. A round that is under way goes on after the next start.")
    return "\n".join(lines)


_ROUND = """\
AUTH='Authorization: Bearer {token}'
TABLES={tables}; TABLE=$TABLES/{table_id}
post() {{ curl -s -H "$AUTH" "$1" -d "$2"; echo; }}
post $TABLES '{{"request_id": "open-1", "rule_set_id": "six-deck-h17"}}'
post ${{TABLE}}:bet '{{"request_id": "bet-1", "round": 1, "stake": 1000}}'
decision() {{ curl -s -H "$AUTH" $TABLE | grep -o '"decision":"[^"]\\+"' | cut -d'"' -f4; }}
while D=$(decision); [ "$D" ]; do
  case $D in *-0-*) A=ACTION_DECLINE;; *) A=ACTION_STAND;; esac
  post ${{TABLE}}:act '{{"request_id": "act-'$D'", "decision": "'$D'", "action": "'$A'"}}'
done"""


def _round(tables: str, token: str, table_id: str) -> list[str]:
    return _ROUND.format(tables=tables, token=token, table_id=table_id).splitlines()
