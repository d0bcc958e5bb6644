"""Addresses and networks, as settings have them."""

from ipaddress import ip_address, ip_network

from service.calls.own_sockets import Network
from service.errors import InputWrong


def split_address(address: str) -> tuple[str, int]:
    """Host and port of `host:port`; an IPv6 host stands in brackets; InputWrong otherwise."""
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit() or int(port) > 65535:
        raise InputWrong("this is no address: write host:port, as in 127.0.0.1:8080")
    return host.strip("[]"), int(port)


def networks(text: str) -> list[Network]:
    """The networks of a list with commas between; InputWrong for what is none."""
    try:
        return [ip_network(one.strip()) for one in text.split(",") if one.strip()]
    except ValueError:
        raise InputWrong("these are no networks: write them as in 10.0.0.0/8,fd00::/8") from None


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
    host, _ = split_address(address)
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
