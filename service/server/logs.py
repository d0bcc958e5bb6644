"""Logs: one JSON object a line on standard error; cards, tokens and keys are never logged."""

import logging
import sys

import structlog

from service.errors import InputWrong

_LEVELS = logging.getLevelNamesMapping()


def configure_logs(level: str) -> None:
    """Log from this level on; InputWrong for a level that does not exist."""
    number = _LEVELS.get(level.upper())
    if number is None:
        raise InputWrong("there is no such level: debug, info, warning or error")
    logging.basicConfig(level=number, stream=sys.stderr, format="%(message)s")
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
