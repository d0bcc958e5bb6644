"""What is generated from the files with services: generated from them, never edited."""

from croupier.v1 import (
    access_service_pb2,
    access_service_rest,
    export_service_pb2,
    export_service_rest,
    history_service_pb2,
    history_service_rest,
    rule_set_service_pb2,
    rule_set_service_rest,
    table_service_pb2,
    table_service_rest,
)

FILES = (
    access_service_pb2.DESCRIPTOR,
    export_service_pb2.DESCRIPTOR,
    history_service_pb2.DESCRIPTOR,
    rule_set_service_pb2.DESCRIPTOR,
    table_service_pb2.DESCRIPTOR,
)

ROUTES = (
    *access_service_rest.ROUTES,
    *export_service_rest.ROUTES,
    *history_service_rest.ROUTES,
    *rule_set_service_rest.ROUTES,
    *table_service_rest.ROUTES,
)
