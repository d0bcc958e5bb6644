"""An error as both doors show it."""

from croupier.v1 import reason_pb2
from google.protobuf.duration_pb2 import Duration
from google.rpc import status_pb2
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo

from service.calls.errors import ApiError

ERROR_DOMAIN = "croupier"


def rpc_status(error: ApiError) -> status_pb2.Status:
    """An error as `google.rpc.Status`, the same at both doors: with its `ErrorInfo`, and with a
    `RetryInfo` if it helps to send the request again."""
    info = ErrorInfo(
        reason=reason_pb2.Reason.Name(reason_pb2.Reason.ValueType(error.reason)),
        domain=ERROR_DOMAIN,
        metadata=error.metadata,
    )
    status = status_pb2.Status(code=error.code, message=error.message)
    status.details.add().Pack(info)
    if error.retry_seconds is not None:
        status.details.add().Pack(RetryInfo(retry_delay=Duration(seconds=error.retry_seconds)))
    return status
