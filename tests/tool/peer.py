"""One end of a conversation that was written down before: says its own steps, waits for those of the other.

python3 peer.py STEPS SIDE, with a JSON array of [side, text] pairs in STEPS, text being bytes as Latin-1.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import List, Tuple

Step = Tuple[str, bytes]


def read_exactly(fd: int, count: int) -> bytes:
    data = b""
    while len(data) < count:
        portion = os.read(fd, count - len(data))
        if not portion:
            break
        data += portion
    return data


def write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def play(steps: List[Step], side: str, receive: int, send: int) -> bytes:
    """The received messages."""
    received = b""
    for who, data in steps:
        if who == "pause":
            time.sleep(float(data))
        elif who == side:
            write_all(send, data)
        else:
            received += read_exactly(receive, len(data))
    return received


if __name__ == "__main__":
    written = json.loads(Path(sys.argv[1]).read_text(encoding="ascii"))
    play([(who, text.encode("latin-1")) for who, text in written], sys.argv[2], 0, 1)
