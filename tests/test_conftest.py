"""How tests are run: what `conftest.py` sets up for all of them."""

from __future__ import annotations

import gc


def test_the_garbage_collector_does_not_look_at_what_stays() -> None:
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold()[0] > 10_000


def test_garbage_in_cycles_is_still_collected() -> None:
    class Node:
        own: Node

    before = len(gc.get_objects())
    for _ in range(200_000):
        node = Node()
        node.own = node
    assert len(gc.get_objects()) - before < 200_000
    assert gc.isenabled()
