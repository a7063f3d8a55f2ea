"""A web service that refuses its own restart while work is held.

    POST /jobs      {"session": "build", "command": ["make", "test"]}: starts a background shell
    GET  /status    what each session does, and what holds it; /status?wait once nothing does
    POST /restart   202, and it ends with exit status 0; or 409, with what would be lost

Who can reach it can run commands: that is this machine alone, and no page in a browser of it.
It needs starlette and uvicorn. Without --serve it shows itself.

    python examples/web_service.py [--serve] [--port 8000]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, assert_never, final

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gapless import CallFailure, Failure, Runtime, Session, SessionView, Success
from gapless.messages.inputs import PromptSubmitted, TurnEnded
from gapless.typings import (
    Closable,
    ClosePermit,
    Completed,
    Held,
    Permitted,
    Undetermined,
    name_of,
    read,
    spawning,
)

LOOPBACK: Final = "127.0.0.1"
DRAIN_MS: Final = 2_000
PATIENCE_S: Final = 20.0


@final
class Job(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    command: tuple[str, ...]
    session: str = "main"


def answer(status: int, what: object) -> Response:
    """Answer in JSON; what Gapless says is a wire form already."""
    return Response(msgspec.json.encode(what), status, media_type="application/json")


def not_started(error: spawning.SpawnError | CallFailure) -> Response:
    """Say why there is no shell: to blame is the job, or else the state of things here."""
    text = spawning.explain(error) if isinstance(error, spawning.SpawnError) else repr(error)
    said = {"cause": type(error).__name__, "error": text}
    match error:
        case spawning.CommandNotFound() | spawning.FolderNotFound() | spawning.NotPermitted():
            return answer(422, said)
        case spawning.NotRunnable() | spawning.ArgumentsTooLong():
            return answer(422, said)
        case _:
            return answer(503, said)


def is_free(view: SessionView) -> bool:
    return isinstance(view.close, Closable)


@final
class Service:
    """The sessions of one server; each is opened by its first job."""

    def __init__(self, runtime: Runtime, agents: asyncio.TaskGroup) -> None:
        self._runtime = runtime
        self._agents = agents
        self._restarting: bool = False
        app = Starlette(
            routes=[
                Route("/jobs", self.start_job, methods=["POST"]),
                Route("/status", self.status),
                Route("/restart", self.restart, methods=["POST"]),
            ],
            # Else a page whose own name was made to point here would be of the same origin.
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[LOOPBACK, "localhost"])],
            max_body_size=65_536,
        )
        self.server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="warning"))

    async def start_job(self, request: Request) -> Response:
        # A page of another origin cannot send JSON unless it is allowed to, and here it is not.
        if request.headers.get("content-type") != "application/json":
            return answer(415, {"error": "send application/json"})
        try:
            job = msgspec.json.decode(await request.body(), type=Job)
        except msgspec.DecodeError as wrong:
            return answer(400, {"error": str(wrong)})
        if self._restarting:
            return answer(503, {"error": "a restart is asked for"})
        session = self._session(job.session)
        session.tell(PromptSubmitted())  # nothing is awaited before, so no restart comes between
        outcome = await session.spawn_shell(*job.command)
        session.tell(TurnEnded(outcome=Completed()))
        match outcome:
            case Success(shell):
                return answer(201, {"id": f"{session.id}/{name_of(shell)}"})
            case Failure(error):
                return not_started(error)
            case _:
                assert_never(outcome)

    async def status(self, request: Request) -> Response:
        sessions = self._runtime.sessions
        if "wait" in request.query_params:
            await asyncio.gather(*(it.until(is_free, PATIENCE_S) for it in sessions))
        return answer(200, {it.id: read(it.view) for it in sessions})

    async def restart(self, _: Request) -> Response:
        if self._restarting:
            return answer(503, {"error": "a restart is asked for"})
        self._restarting = True  # no new job from here on: what is answered stays true
        lost = await self._close_all()
        if lost:
            self._restarting = False
            return answer(409, lost)
        self.server.should_exit = True  # it ends once the answers under way are sent
        return answer(202, {})

    async def _close_all(self) -> dict[str, object]:
        """Close all sessions if all may be; else return what would be lost, by session."""
        asked = [(it, it.ask_close(drain_ms=DRAIN_MS)) for it in self._runtime.sessions]
        lost: dict[str, object] = {}
        permits: list[tuple[Session, ClosePermit]] = []
        for session, question in asked:
            outcome = await question
            match outcome:
                case Success(close):
                    match close:
                        case Permitted(permit=permit):
                            permits.append((session, permit))
                        case Held() | Undetermined():  # not to know is no permission
                            lost[session.id] = close
                        case _:
                            assert_never(close)
                case Failure(error):
                    lost[session.id] = repr(error)
                case _:
                    assert_never(outcome)
        for session, permit in [] if lost else permits:
            closed = await session.close(permit)
            if isinstance(closed, Failure):  # what was closed before is opened by its next job
                lost[session.id] = repr(closed.failure())
        return lost

    def _session(self, name: str) -> Session:
        for session in self._runtime.sessions:
            if session.id == name:
                return session
        session = self._runtime.open(name)
        self._agents.create_task(play(session))
        return session


async def play(session: Session) -> None:
    """Play the agent of a session: it hears of each result in a turn of its own, and says it."""
    async for continuation in session.continuations():
        taken = await continuation.take()
        match taken:
            case Success():
                print(f"{session}: {continuation.text}", flush=True)
                session.tell(TurnEnded(outcome=Completed()))
            case Failure():
                pass  # a turn or a close question came first: it is offered again
            case _:
                assert_never(taken)


def ask(port: int, method: str, path: str, body: object = None) -> int:
    """Act as a client: send a request, print what came of it, and return the status."""
    with closing(HTTPConnection(LOOPBACK, port, timeout=2 * PATIENCE_S)) as connection:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json"})
        response = connection.getresponse()
        print(f"{method} {path}: {response.status} {response.read().decode()}", flush=True)
        return response.status


def demonstrate(port: int) -> None:
    """Ask for a restart while a shell runs, and once its result was taken."""
    with TemporaryDirectory() as folder:
        pipe = Path(folder, "pipe")
        os.mkfifo(pipe)
        job = {"session": "build", "command": ["cat", str(pipe)]}
        assert ask(port, "POST", "/jobs", job) == 201
        assert ask(port, "POST", "/restart") == 409  # the shell runs until the pipe is written to
        pipe.write_text("all tests passed\n")
        assert ask(port, "GET", "/status?wait") == 200
        assert ask(port, "POST", "/restart") == 202


async def serve(port: int, *, show: bool) -> None:
    """Serve on this machine until a restart is accepted, or a signal asks for the end."""
    # uvicorn ends at a signal, and then raises it again: the runtime is to be left all the same.
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, lambda: None)
    with socket.create_server((LOOPBACK, port)) as listening:
        port = listening.getsockname()[1]
        print(f"serving on http://{LOOPBACK}:{port}", flush=True)
        async with asyncio.TaskGroup() as tasks, Runtime.start() as runtime:
            if show:
                tasks.create_task(asyncio.to_thread(demonstrate, port))
            await Service(runtime, tasks).server.serve([listening])


def main() -> None:
    """Serve, or show what that is like."""
    parser = argparse.ArgumentParser(description="Serve jobs until a restart is accepted.")
    parser.add_argument("--serve", action="store_true", help="only serve")
    parser.add_argument("--port", type=int, default=0, help="0, unless told otherwise: a free one")
    options = parser.parse_args()
    port: int = options.port
    asyncio.run(serve(port, show=not options.serve))


if __name__ == "__main__":
    main()
