"""Kinds of messages that the REST door treats in its own way: times, and the pieces of a file."""

from google.protobuf.descriptor import Descriptor, FieldDescriptor

TIMESTAMP = "google.protobuf.Timestamp"
DOWNLOAD = {
    "content_type": FieldDescriptor.TYPE_STRING,
    "data": FieldDescriptor.TYPE_BYTES,
}


def is_download(response: Descriptor) -> bool:
    """Whether the responses of a stream are the pieces of a file."""
    return {field.name: field.type for field in response.fields} == DOWNLOAD


def is_timestamp(field: FieldDescriptor) -> bool:
    """Whether a field is a time."""
    return field.message_type is not None and field.message_type.full_name == TIMESTAMP
