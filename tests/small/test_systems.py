# SPDX-License-Identifier: MIT
"""The module for Zephyr and the component for ESP-IDF with their samples, driven by stand-ins of those
systems (systems/README.md): Kconfig is read by their own parsers, all that CMake lists is compiled for their
processors, and nothing is missing from it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, FrozenSet, List, Sequence, Tuple

from tests.small.building import ROOT

PYTHON = Path(os.environ["MCPW_KCONFIG"]) / "bin/python"
SYSTEMS = ROOT / "tests/small/systems"
C_LIBRARY = frozenset(
    "memchr memcmp memcpy memmove memset strchr strcmp strcspn strlen strncat strncmp strrchr strspn".split()
)
COMPILER = re.compile(r"__(?:aeabi_\w+|[a-z]+(?:si|di|df|sf)\w*)$")
IDF_HAS = frozenset(("close", "__atomic_exchange_4", "__atomic_fetch_add_4", "__atomic_fetch_sub_4"))


@dataclass(frozen=True)
class System:
    """A stand-in: how its sample is configured, and the names of its tools."""

    sample: Path
    compiler: str
    package: str
    options: Tuple[str, ...]
    program: str
    include: Path
    configuration: str  # the variable of CMake that names more values of Kconfig

    def tool(self, name: str) -> str:
        return self.compiler[: -len("gcc")] + name


ZEPHYR = System(
    ROOT / "examples/zephyr",
    "arm-none-eabi-gcc",
    "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    (f"-DZephyr_DIR={SYSTEMS / 'zephyr'}",),
    "app",
    SYSTEMS / "zephyr/include",
    "EXTRA_CONF_FILE",
)
ESP_IDF = System(
    ROOT / "examples/esp_idf",
    "riscv64-unknown-elf-gcc",
    "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf",
    (f"-DMCPWIRE_COMPONENT={ROOT}",),
    "firmware",
    SYSTEMS / "esp_idf/include",
    "SDKCONFIG_DEFAULTS",
)


def declared(folder: Path) -> FrozenSet[str]:
    """The functions and objects that the headers of a stand-in declare."""
    text = "".join(path.read_text("utf-8") for path in folder.rglob("*.h"))
    return frozenset(re.findall(r"\b(\w+)\(", text)) | frozenset(re.findall(r"\bdevice_of_\w+", text))


class Systems(unittest.TestCase):
    def setUp(self) -> None:
        if not PYTHON.exists():
            self.skipTest(f"no {PYTHON.parent.parent} (tests/small/setup.sh fills it)")
        folder = tempfile.TemporaryDirectory(prefix="mcpw-systems-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def configure(self, system: System, values: Sequence[str]) -> subprocess.CompletedProcess[str]:
        if shutil.which(system.compiler) is None:
            self.skipTest(f"no {system.compiler} (Debian: {system.package})")
        chosen = self.folder / "chosen.conf"
        chosen.write_text("".join(f"{value}\n" for value in values), "utf-8")
        return subprocess.run(
            [
                *("cmake", "-S", str(system.sample), "-B", str(self.folder / "build"), "-G", "Ninja"),
                *(f"-DKCONFIG_PYTHON={PYTHON}", f"-D{system.configuration}={chosen}", *system.options),
            ],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "IDF_PATH": str(SYSTEMS / "esp_idf")},
        )

    def build(self, system: System, *values: str) -> Path:
        """The program with these values of Kconfig."""
        done = self.configure(system, values)
        self.assertEqual(done.returncode, 0, done.stderr)
        made = subprocess.run(
            ["cmake", "--build", str(self.folder / "build")], capture_output=True, text=True, check=False
        )
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        return next(path for path in (self.folder / "build").glob(f"{system.program}*") if path.is_file())

    def symbols(self, system: System, program: Path) -> Dict[str, Tuple[str, int]]:
        """The kind of each symbol, and its size."""
        listing = subprocess.run(
            [system.tool("nm"), "-f", "posix", "-S", str(program)], capture_output=True, text=True, check=True
        ).stdout
        found: Dict[str, Tuple[str, int]] = {}
        for line in listing.splitlines():
            name, kind, *rest = line.split()
            found[name] = (kind, int(rest[1], 16) if len(rest) == 2 else 0)
        return found

    def assert_complete(self, system: System, program: Path) -> None:
        """All that the program lacks is the system's, the C library's or the compiler's."""
        known = declared(system.include) | C_LIBRARY | (IDF_HAS if system is ESP_IDF else frozenset())
        missing: List[str] = [
            name
            for name, (kind, _) in self.symbols(system, program).items()
            if kind == "U" and name not in known and not COMPILER.match(name)
        ]
        self.assertEqual(missing, [])

    def config(self) -> str:
        return next((self.folder / "build").rglob("mcpw/config.h")).read_text("utf-8")

    def check_sample(self, system: System, network: Sequence[str]) -> None:
        """The sample over a UART, and over the system's sockets."""
        for values, link in (((), "uart"), (network, "tcp_serve")):
            program = self.build(system, *values)
            self.assert_complete(system, program)
            symbols = self.symbols(system, program)
            self.assertIn("mcpw_session_feed", symbols)
            self.assertEqual(symbols.get("tcp_serve", ("none", 0))[0] == "T", link == "tcp_serve")

    def check_values(self, system: System) -> None:
        """Revisions, options and sizes of Kconfig reach the code."""
        program = self.build(
            system,
            "CONFIG_MCPWIRE_REVISION_2025_11_25=n",
            "CONFIG_MCPWIRE_REVISION_2024_11_05=y",
            "CONFIG_MCPWIRE_REVISION_2026_07_28=y",
            "CONFIG_MCPWIRE_MALLOC=y",
            "CONFIG_SENSOR_MEMORY=32768",
            "CONFIG_SENSOR_LINE=2048",
        )
        self.assert_complete_with_malloc(system, program)
        held = set(re.findall(r"MCPW_WITH_(\d+)", self.config()))
        self.assertEqual(held, {"20241105", "20260728"})
        self.assertIn("#define MCPW_PIN 20260728", self.config())
        self.assertNotIn("MCPW_NO_MALLOC", self.config())
        symbols = self.symbols(system, program)
        self.assertEqual((symbols["memory"][1], symbols["line"][1]), (32768, 2048))
        self.assertIn("mcp_20260728_tool_table", symbols)
        self.assertNotIn("mcp_20251125_tool_table", symbols)

    def assert_complete_with_malloc(self, system: System, program: Path) -> None:
        symbols = self.symbols(system, program)
        self.assertEqual(symbols["realloc"][0], "U")

    def test_the_sample_for_zephyr(self) -> None:
        network = (ZEPHYR.sample / "network.conf").read_text("utf-8")
        self.check_sample(ZEPHYR, [line for line in network.splitlines() if line.startswith("CONFIG_")])

    def test_values_of_kconfig_reach_the_code_in_zephyr(self) -> None:
        self.check_values(ZEPHYR)

    def test_zephyr_without_a_revision_says_so(self) -> None:
        done = self.configure(ZEPHYR, ["CONFIG_MCPWIRE_REVISION_2025_11_25=n"])
        self.assertRegex(" ".join(done.stderr.split()), "no revision is chosen: CONFIG_MCPWIRE_REVISION")

    def test_the_sample_for_esp_idf(self) -> None:
        self.check_sample(ESP_IDF, ["CONFIG_SENSOR_NETWORK=y"])

    def test_values_of_kconfig_reach_the_code_in_esp_idf(self) -> None:
        self.check_values(ESP_IDF)

    def test_kconfig_and_cmake_know_all_revisions(self) -> None:
        listed = json.loads((ROOT / "schema/revisions.json").read_text("utf-8"))["revisions"]
        names = [entry["revision"] for entry in listed]
        kconfig = (ROOT / "cmake/packages/esp_idf/Kconfig").read_text("utf-8")
        offered = [f"{y}-{m}-{d}" for y, m, d in re.findall(r"MCPWIRE_REVISION_(\d+)_(\d+)_(\d+)\n", kconfig)]
        self.assertEqual(offered, names)

    def test_kconfig_offers_each_option_that_cmake_reads(self) -> None:
        kconfig = (ROOT / "cmake/packages/esp_idf/Kconfig").read_text("utf-8")
        offered = set(re.findall(r"config MCPWIRE_(?!REVISION)(\w+)", kconfig))
        cmake = (ROOT / "cmake/McpwireKconfig.cmake").read_text("utf-8")
        listed = re.search(r"set\(_mcpw_kconfig_parts ([^)]*)\)", cmake)
        assert listed is not None
        self.assertEqual(offered, {*listed[1].split(), "SESSION", "SMALL"})
        options = (ROOT / "cmake/McpwireSmall.cmake").read_text("utf-8")
        self.assertEqual(set(listed[1].split()), set(re.findall(r"option\(MCPW_WITH_(\w+)", options)))

    def test_the_component_manager_takes_the_manifest(self) -> None:
        command = [str(PYTHON), str(SYSTEMS / "manifest.py"), str(ROOT / "idf_component.yml")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if "No module named 'idf_component_tools'" in done.stderr:
            self.skipTest("no idf-component-manager (tests/small/setup.sh installs it)")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_component_has_the_version_of_the_project(self) -> None:
        project = re.search(
            r"project\(mcpwire VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8")
        )
        assert project is not None
        self.assertIn(f'version: "{project[1]}"', (ROOT / "idf_component.yml").read_text("utf-8"))


if __name__ == "__main__":
    unittest.main()
