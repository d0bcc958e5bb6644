"""Times are read as RFC 3339 has them, in bodies and in queries; what only resembles one is not."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from croupier.v1.history_service_pb2 import ListRoundsRequest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.wire.times import moment
from service.rest.json_reader import BadJson, from_json, set_text
from service.rules.reasons import Refused


def in_a_body(text: str) -> Timestamp:
    request = ListRoundsRequest()
    from_json(json.dumps({"startTime": text}).encode(), request)
    return request.start_time


def in_a_query(text: str) -> Timestamp:
    request = ListRoundsRequest()
    set_text(request, "start_time", text)
    return request.start_time


PLACES = pytest.mark.parametrize("read", [in_a_body, in_a_query])
Read = Callable[[str], Timestamp]

GOOD = {
    "2026-01-31T12:00:00Z": (1769860800, 0),
    "2026-01-31T12:00:00.5Z": (1769860800, 500_000_000),
    "2026-01-31T12:00:00.123456789Z": (1769860800, 123_456_789),
    "2026-01-31T12:00:00.000000001+00:00": (1769860800, 1),
    "2026-01-31T13:30:00+01:30": (1769860800, 0),
    "2026-01-31T12:00:00-00:00": (1769860800, 0),
    "2026-01-30T12:01:00-23:59": (1769860800, 0),
    "2026-02-01T11:59:00+23:59": (1769860800, 0),
    "2024-02-29T00:00:00Z": (1709164800, 0),
    "1969-12-31T23:59:59.75Z": (-1, 750_000_000),
    "0001-01-01T00:00:00Z": (-62_135_596_800, 0),
    "0001-01-01T01:00:00+01:00": (-62_135_596_800, 0),
    "9999-12-31T23:59:59.999999999Z": (253_402_300_799, 999_999_999),
    "9999-12-31T22:59:59-01:00": (253_402_300_799, 0),
}
DAY = "2026-01-31T12:00:00"
BAD = [
    "", "Z", "now", "1769860800", "2026-01-31", "2026-01-31T12:00Z", f"{DAY}+01", f"{DAY}+0100",
    f"{DAY}+24:00", f"{DAY}-24:00", f"{DAY}+99:99", f"{DAY}+00:60", f"{DAY}+-1:00",
    f"{DAY}--1:00", f"{DAY}+ 1:00", f"{DAY}+1:00", f"{DAY}+01:0", f"{DAY}+01:00:00",
    f"{DAY} +01:00", f"{DAY}++1:00", f"{DAY}+01:00Z", f"{DAY}ZZ", f"{DAY}.Z", f"{DAY}.+01:00",
    f"{DAY},5Z", f"{DAY}.5.5Z", f"{DAY}.1234567890Z", f"{DAY}.-5Z", f"{DAY}. 5Z", f"{DAY}.1_0Z",
    f"{DAY}z", f"{DAY}\n", f"{DAY}Z\n", f" {DAY}Z", f"{DAY}Z ", f"{DAY}Z\0",
    "2026-01-31t12:00:00Z", "2026-01-31 12:00:00Z", "2026-1-31T12:00:00Z", "2026-01-1T12:00:00Z",
    "2026-01-31T1:00:00Z", "26-01-31T12:00:00Z", "+2026-01-31T12:00:00Z", "-2026-01-31T12:00:00Z",
    "12026-01-31T12:00:00Z", "2026-W05-6T12:00:00Z", "20260131T120000Z", "2026-031T12:00:00Z",
    "2026-00-31T12:00:00Z", "2026-13-01T12:00:00Z", "2026-02-29T12:00:00Z",
    "2026-04-31T12:00:00Z", "2026-01-00T12:00:00Z", "2026-01-31T24:00:00Z",
    "2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z", "2016-12-31T23:59:60Z",
    "2026-01-31T12:00:-1Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01", "2026-01-31T12:00:00\uff3a",
    "\uff12\uff10\uff12\uff16-01-31T12:00:00Z", "2026-01-31T12:00:00+\uff10\uff11:00",
    "2026-01-31T12:00:00.\uff15Z", "2026-01-31T12:00:00\u221201:00",
    "\u0662\u0660\u0662\u0666-01-31T12:00:00Z",
]  # fmt: skip


@PLACES
@pytest.mark.parametrize("text", GOOD)
def test_a_time(text: str, read: Read) -> None:
    assert ((found := read(text)).seconds, found.nanos) == GOOD[text]


@PLACES
@pytest.mark.parametrize("text", BAD)
def test_no_time(text: str, read: Read) -> None:
    with pytest.raises(BadJson) as refused:
        read(text)
    assert refused.value.field in {"startTime", "start_time"}


@pytest.mark.parametrize("value", [0, 1.5, True, [], {}, {"seconds": 5}, [2026, 1, 31]])
def test_a_time_is_a_text(value: object) -> None:
    with pytest.raises(BadJson):
        from_json(json.dumps({"startTime": value}).encode(), ListRoundsRequest())


@settings(max_examples=100, deadline=None)
@given(
    st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)),  # noqa: DTZ001 - the zone comes apart
    st.integers(-23 * 60 - 59, 23 * 60 + 59),
)
def test_every_time_is_read_as_its_moment(when: datetime, minutes: int) -> None:
    local = when.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    found = in_a_query(local.isoformat())
    since = local - datetime(1970, 1, 1, tzinfo=UTC)
    assert found.seconds == since.days * 86_400 + since.seconds
    assert found.nanos == since.microseconds * 1000


@settings(max_examples=300, deadline=None)
@given(st.text("0123456789-+:.TZ tz\0\uff10", max_size=8), st.integers(0, 30), st.integers(0, 4))
def test_whatever_is_put_in_is_a_time_or_refused(put: str, at: int, replaced: int) -> None:
    good = "2026-01-31T12:00:00.5+01:00"
    text = good[:at] + put + good[at + replaced :]
    try:
        found = in_a_query(text)
    except BadJson:
        return
    again = Timestamp()
    again.FromJsonString(text)  # what we read, the library reads alike
    assert found == again


@pytest.mark.parametrize(
    ("seconds", "nanos"),
    [(-62_135_596_801, 0), (253_402_300_800, 0), (2**63 - 1, 0), (0, -1), (0, 10**9)],
)
def test_no_time_over_grpc(seconds: int, nanos: int) -> None:
    request = ListRoundsRequest(start_time=Timestamp(seconds=seconds, nanos=nanos))
    with pytest.raises(Refused):
        moment(request, "start_time")
