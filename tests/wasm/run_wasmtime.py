# SPDX-License-Identifier: MIT
"""Runs a program of WASI in wasmtime, with the standard streams and the files of this machine.

python run_wasmtime.py PROGRAM [ARGUMENT...]
"""

from __future__ import annotations

import sys

from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig


def main(arguments: list[str]) -> int:
    engine = Engine()
    linker = Linker(engine)
    linker.define_wasi()
    config = WasiConfig()
    config.argv = arguments
    config.inherit_stdin()
    config.inherit_stdout()
    config.inherit_stderr()
    config.preopen_dir("/", "/")
    store = Store(engine)
    store.set_wasi(config)
    instance = linker.instantiate(store, Module.from_file(engine, arguments[0]))
    try:
        instance.exports(store)["_start"](store)  # type: ignore[operator]
    except ExitTrap as end:
        return int(end.code)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
