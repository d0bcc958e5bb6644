"""A story onto the wire."""

from croupier.v1 import story_pb2 as pb
from croupier.v1 import table_pb2

from service.api.wire.enums import WireEnum
from service.api.wire.tables import ACTIONS
from service.api.wire.times import timestamp
from service.rules.hand import EndCause, Result
from service.table.causes import Cause
from service.table.showing.story import Step, StepKind, Story, StorySeat

_KINDS = WireEnum(StepKind, pb.StepKind, "STEP_KIND")
_CAUSES = WireEnum(Cause, pb.Cause, "CAUSE")
_END_CAUSES = WireEnum(EndCause, table_pb2.EndCause, "END_CAUSE")
_RESULTS = WireEnum(Result, table_pb2.Result, "RESULT")


def story_to_wire(story: Story) -> pb.RoundStory:
    """A round as a story; the same for all who may see the table."""
    return pb.RoundStory(
        seats=[_seat(seat) for seat in story.seats], steps=[_step(step) for step in story.steps]
    )


def _seat(seat: StorySeat) -> pb.StorySeat:
    return pb.StorySeat(
        seat=seat.seat,
        player_id=seat.player,
        stack_before=seat.before,
        stack_after=seat.after,
        staked=seat.staked,
        returned=seat.returned,
        net=seat.returned - seat.staked,
    )


def _step(step: Step) -> pb.StoryStep:
    told = step.told
    return pb.StoryStep(
        time=timestamp(step.at),
        version=step.version,
        actor=step.actor,
        kind=_KINDS.to_wire(told.kind),
        seat=told.seat,
        hand=told.hand,
        on_seat=told.on,
        card=told.card,
        position=told.position if told.position >= 0 else None,
        total=step.total,
        soft=step.soft,
        action=ACTIONS.to_wire(told.action),
        cause=_CAUSES.to_wire(told.cause),
        end_cause=_END_CAUSES.to_wire(told.end_cause),
        result=_RESULTS.to_wire(told.result),
        natural=told.natural,
        amount=told.amount,
        stack=step.stack,
        round=told.round,
        reason=told.reason,
    )
