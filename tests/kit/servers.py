"""Mail servers of the tests that run in a thread of their own."""

from __future__ import annotations

import asyncio

from aiosmtpd.controller import Controller


def stop(controller: Controller) -> None:
    """Stop a server when the connections that are being closed are closed: a loop that is stopped closes none."""
    asyncio.run_coroutine_threadsafe(asyncio.sleep(0.05), controller.loop).result(5)
    controller.stop()
    controller.loop.close()
