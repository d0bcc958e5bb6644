"""An application that carries out nothing, and remembers what it was asked to."""

from service.rest.http1.messages import Reply, Request, Stream, Unacceptable
from service.rest.replies import refusal


class Recorder:
    """Answers every request with 200 and its path."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def at_once(self, request: Request) -> Reply:
        self.requests.append(request)
        return Reply(200, f"carried out {request.path};".encode())

    async def answer(self, request: Request) -> Reply | Stream:
        raise AssertionError(f"{request.path} was answered at once")

    def refusal(self, refused: Unacceptable) -> Reply:
        return refusal(refused)

    @property
    def carried_out(self) -> list[tuple[str, str, bytes]]:
        return [(one.method, one.path, one.body) for one in self.requests]
