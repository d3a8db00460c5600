"""Nothing but public addresses, in whatever form they are written."""

from __future__ import annotations

import pytest

from kebab_core.web.guard import BlockedError, GuardedBackend, check_address, check_url
from tests.support.site import Site


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.9.9.9",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.9",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:db8::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
def test_an_address_that_is_not_public_is_blocked(address: str) -> None:
    with pytest.raises(BlockedError, match="not a public address"):
        check_address(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111"])
def test_a_public_address_passes(address: str) -> None:
    assert str(check_address(address)) == address


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com",
        "javascript:alert(1)",
        "//example.com",
        "example.com",
        "http://",
        "http://user@example.com/",
        "http://user:pw@example.com/",
        "http://example.com@127.0.0.1/",
        "http://@example.com/",
        "http://exam ple.com/",
        "http://example.com\\@127.0.0.1/",
        "http://example.com/\r\nHost: x",
        "http://[::1",
        "http://example.com:99999/",
        "http://example.com/\u202e",
    ],
)
def test_an_address_of_a_doubtful_form_is_blocked(url: str) -> None:
    with pytest.raises(BlockedError):
        check_url(url)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "017700000001", "0x7f000001", "0x7f.1", "127.1", "localhost"],
)
async def test_every_spelling_of_loopback_is_blocked(host: str) -> None:
    with pytest.raises(BlockedError):
        await GuardedBackend().connect_tcp(host, 80, timeout=2)


async def test_one_private_address_among_public_ones_taints_the_name() -> None:
    async def resolver(host: str, port: int) -> list[str]:
        return ["93.184.216.34", "127.0.0.1"]

    with pytest.raises(BlockedError):
        await GuardedBackend(resolver=resolver).connect_tcp("rebind.example", 80, timeout=2)


async def test_a_name_is_looked_up_once_a_connection() -> None:
    asked: list[str] = []

    async def resolver(host: str, port: int) -> list[str]:
        # Whoever looks a second time is sent elsewhere.
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    with Site({}) as site:
        backend = GuardedBackend(["rebind.example"], resolver)
        stream = await backend.connect_tcp("rebind.example", site.port, timeout=2)
        assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
        await stream.aclose()
    assert asked == ["rebind.example"]


async def test_a_local_socket_is_blocked() -> None:
    with pytest.raises(BlockedError):
        await GuardedBackend().connect_unix_socket("/run/docker.sock")
