# SPDX-License-Identifier: MIT
"""The library for Arduino and PlatformIO: it is laid out, has what the tools of both ask for, and its sketch
compiles as C++ and lacks nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from typing import ClassVar, Dict, List

from tests.small.building import ROOT

PLATFORMIO = Path(os.environ["MCPW_KCONFIG"]) / "bin/pio"
ARDUINO = ROOT / "tests/small/systems/arduino"
FLAGS = ("-mcpu=cortex-m3", "-mthumb", "-Os", "-ffunction-sections", "-Wall", "-Wextra", "-Werror")
OF_THE_BOARD = re.compile(
    r"_ZN14HardwareSerial\w+|Serial|_Z10analogReadh|_Z5delaym|_Z6millisv|__aeabi_\w+|__\w+di2"
)
C_LIBRARY = (
    "memchr memcmp memcpy memmove memset realloc free strchr strcmp strcspn strlen strncat strncmp strrchr "
    "strspn snprintf vsnprintf strtod time timespec_get clock"
).split()
CATEGORIES = "Communication|Sensors|Device Control|Other"  # of Arduino's: those that could be ours


class Arduino(unittest.TestCase):
    folder: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        holder = tempfile.TemporaryDirectory(prefix="mcpw-arduino-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name) / "mcpwire"
        script = ROOT / "cmake/packages/arduino/lay_out.py"
        subprocess.run([sys.executable, str(script), str(cls.folder)], check=True)

    def run_tool(self, *command: str) -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder.parent)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_the_properties_are_those_that_arduino_asks_for(self) -> None:
        lines = (self.folder / "library.properties").read_text("utf-8").splitlines()
        properties: Dict[str, str] = dict(line.split("=", 1) for line in lines)
        wanted = "name version author maintainer sentence paragraph category url architectures".split()
        self.assertEqual([name for name in wanted if not properties.get(name)], [])
        self.assertRegex(properties["category"], f"^(?:{CATEGORIES})$")
        self.assertTrue((self.folder / "src" / properties["includes"]).is_file())
        cmake = (ROOT / "CMakeLists.txt").read_text("utf-8")
        self.assertIn(f"project(mcpwire VERSION {properties['version']} ", cmake)

    def test_the_sketch_compiles_and_lacks_nothing(self) -> None:
        if shutil.which("arm-none-eabi-g++") is None:
            self.skipTest("no arm-none-eabi-g++ (Debian: gcc-arm-none-eabi libstdc++-arm-none-eabi-newlib)")
        sketch = self.folder / "examples/Sensor"
        text = (sketch / "Sensor.ino").read_text("utf-8")
        (sketch / "sketch.cpp").write_text(f"#include <Arduino.h>\n{text}", "utf-8")
        objects: List[str] = []
        include = [f"-I{self.folder / 'src'}", f"-I{sketch}", f"-I{ARDUINO}"]
        for source in [*sketch.glob("*.c"), *sketch.glob("*.cpp"), self.folder / "src/mcpwire.c"]:
            cplusplus = source.suffix == ".cpp"
            language = ("-std=gnu++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics")
            compiler = ["arm-none-eabi-g++", *language] if cplusplus else ["arm-none-eabi-gcc", "-std=gnu17"]
            objects.append(str(source.with_suffix(".o")))
            self.run_tool(*compiler, *FLAGS, *include, "-c", str(source), "-o", objects[-1])
        program = str(self.folder.parent / "sketch.o")
        kept = ("-Wl,--gc-sections", "-Wl,-u,_Z5setupv", "-Wl,-u,_Z4loopv", "-Wl,-e,_Z5setupv")
        self.run_tool("arm-none-eabi-gcc", "-nostdlib", "-r", *kept, *objects, "-o", program)
        symbols = self.run_tool("arm-none-eabi-nm", "-u", program).split()
        missing = [name for name in symbols if name != "U" and name not in C_LIBRARY]
        self.assertEqual([name for name in missing if not OF_THE_BOARD.fullmatch(name)], [])

    def test_platformio_packs_it(self) -> None:
        if not PLATFORMIO.exists():
            self.skipTest(f"no {PLATFORMIO} (tests/small/setup.sh installs it)")
        manifest = self.folder / "library.json"
        fields = json.loads(manifest.read_text("utf-8"))
        self.assertEqual(fields.pop("license"), "MIT")  # PlatformIO asks the network for the list of licences
        manifest.write_text(json.dumps(fields), "utf-8")
        archive = self.folder.parent / "mcpwire.tar.gz"
        settings = {**os.environ, "PLATFORMIO_CORE_DIR": str(self.folder.parent / "core")}
        done = subprocess.run(
            [str(PLATFORMIO), "pkg", "pack", "-o", str(archive), str(self.folder)],
            capture_output=True,
            text=True,
            check=False,
            env=settings,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with tarfile.open(archive) as packed:
            names = packed.getnames()
        for name in ("library.json", "src/mcpwire.c", "src/mcpwire.h", "examples/Sensor/Sensor.ino"):
            self.assertIn(name, names)


if __name__ == "__main__":
    unittest.main()
