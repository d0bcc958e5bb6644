"""The contract: its files, services and methods, as the generated descriptors have them."""

from croupier.v1 import contract_index
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor

FILES: tuple[FileDescriptor, ...] = contract_index.FILES
"""The files of the contract that have services."""


def service_names() -> list[str]:
    """The full names of the services of the contract."""
    return [service.full_name for file in FILES for service in file.services_by_name.values()]


def methods() -> list[MethodDescriptor]:
    """Every method of the contract."""
    return [
        method
        for file in FILES
        for service in file.services_by_name.values()
        for method in service.methods
    ]


def method_name(method: MethodDescriptor) -> str:
    """The full name of a method, as in `/croupier.v1.TableService/Act`."""
    return f"/{method.containing_service.full_name}/{method.name}"
