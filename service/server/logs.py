"""Logs: one JSON object a line on standard error; cards, tokens and keys are never logged.

That holds for whatever writes there: libraries that log with the standard library, warnings, and
exceptions that nobody caught. Only what the interpreter says when it dies of a fault is as it is.
"""

import logging
import os
import sys
import threading
from types import TracebackType

import structlog

_LEVELS = logging.getLevelNamesMapping()

_log = structlog.get_logger(__name__)

# gRPC's core writes lines of its own, and reads this when it is loaded.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def configure_logs(level: str) -> None:
    """Log from this level on."""
    number = _LEVELS[level.upper()]
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    render = structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, render],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
        )
    )
    logging.basicConfig(level=number, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    logging.getLogger("grpc._cython.cygrpc").addFilter(_is_no_client_that_left)
    sys.excepthook = _uncaught
    sys.unraisablehook = _unraisable
    threading.excepthook = _uncaught_in_thread


def _is_no_client_that_left(record: logging.LogRecord) -> bool:
    """Whether a record is about something else than an answer that nobody was there to take."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or kind.__name__ != "ExecuteBatchError"


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _log.error("nobody caught it", exc_info=(kind, error, trace))


def _uncaught_in_thread(found: threading.ExceptHookArgs) -> None:
    if found.exc_value is not None:
        trace = (found.exc_type, found.exc_value, found.exc_traceback)
        _log.error("nobody caught it", exc_info=trace)


def _unraisable(found: "sys.UnraisableHookArgs") -> None:
    if found.exc_value is not None:
        trace = (found.exc_type, found.exc_value, found.exc_traceback)
        _log.error(found.err_msg or "nobody could catch it", exc_info=trace)
