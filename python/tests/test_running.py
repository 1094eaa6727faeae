"""The interpreter goes on while work is done, Ctrl-C ends it, and no panic crosses."""

from __future__ import annotations

import os
import signal
import threading
import time

import fanmill
import pytest
from fanmill import _native

WORDS = " ".join(f"word{i}" for i in range(400))


def long_work() -> list[str]:
    """Texts that take some seconds."""
    return [f"{i} {WORDS}" for i in range(400)] * 200


@pytest.mark.skipif(os.name == "nt", reason="signals are others there")
def test_ctrl_c_ends_work() -> None:
    texts = long_work()
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(0.3)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # A program that was started in the background ignores Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        # Walking through the list takes time as well, during which the signal may come.
        threading.Thread(target=interrupt).start()
        for _ in range(50):
            fanmill.sketch(texts, threads=1)
    signal.signal(signal.SIGINT, before)
    assert sent


def test_other_threads_run_meanwhile() -> None:
    texts, is_done, turns = long_work()[:8000], threading.Event(), []

    def count() -> None:
        while not is_done.is_set():
            turns.append(1)
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        fanmill.sketch(texts, threads=1)
    finally:
        is_done.set()
        counter.join()
    assert len(turns) > 10


@pytest.mark.skipif(not hasattr(_native, "_panic_in_a_job"), reason="a release does not have it")
def test_a_panic_is_an_exception(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(fanmill.FanmillError, match="please report it: on purpose") as caught:
        _native._panic_in_a_job()
    assert caught.value.code == "internal"
    assert not isinstance(caught.value, ValueError)
    assert "on purpose" in capfd.readouterr().err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_works() -> None:
    """A pool of threads that outlived its work would not exist in the child, which would wait for ever."""
    texts = [f"{i} {WORDS}" for i in range(300)]
    expected = fanmill.band_keys(texts).to_pylist()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if fanmill.band_keys(texts).to_pylist() == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
