"""Standard output whose reader may stop early, as in `./run manage help | head`."""

import io
import os
import signal
import sys
from typing import Any, cast


class Pipe(io.FileIO):
    """Ends the program where the reader has gone: silently and with the shell's code for it.

    SystemExit, because commands tell an OSError of their files in words of their own.
    """

    def write(self, data: Any, /) -> Any:
        try:
            return super().write(data)
        except BrokenPipeError:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), self.fileno())  # where all that is left goes
            raise SystemExit(128 + signal.SIGPIPE) from None


def end_with_the_reader() -> None:
    """Put a Pipe under sys.stdout. What it holds has to be flushed before the interpreter ends."""
    old = cast(io.TextIOWrapper, sys.stdout)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(Pipe(old.fileno(), "wb", closefd=False)),
        encoding=old.encoding,
        errors=old.errors,
        line_buffering=old.line_buffering,
        write_through=old.write_through,
    )
