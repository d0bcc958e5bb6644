"""An error as both doors show it."""

from croupier.v1 import reason_pb2
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import error_details_pb2, status_pb2

from service.calls.errors import ApiError

ERROR_DOMAIN = "croupier"


def rpc_status(error: ApiError) -> status_pb2.Status:
    """An error as `google.rpc.Status` with its `ErrorInfo`, the same at both doors."""
    info = error_details_pb2.ErrorInfo(
        reason=reason_pb2.Reason.Name(reason_pb2.Reason.ValueType(error.reason)),
        domain=ERROR_DOMAIN,
        metadata=error.metadata,
    )
    detail = AnyMessage()
    detail.Pack(info)
    return status_pb2.Status(code=error.code, message=error.message, details=[detail])
