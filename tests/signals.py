"""Signals for programs that tests start."""

import signal


def hear_signals() -> None:
    """To be called in a new process, before the program (`preexec_fn`).

    Where the tests run in the background, or under nohup, their starter has had some of these
    ignored. A program inherits that, and a shell's `trap` can't undo it.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
