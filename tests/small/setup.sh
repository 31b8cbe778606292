#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the parsers of Kconfig that Zephyr and ESP-IDF have, ESP-IDF's component manager and PlatformIO's packer, into a folder
# outside of the source tree.
# Usage: tests/small/setup.sh FOLDER
#   The tests look in BUILD_DIR/kconfig, or where the environment variable MCPW_KCONFIG says.
set -eu

folder=${1:?usage: tests/small/setup.sh FOLDER}
wanted="kconfiglib==14.1.0 esp-idf-kconfig==3.14.0 platformio==6.1.18 idf-component-manager==3.1.2"
if [ "$(cat "$folder/installed" 2>/dev/null)" = "$wanted" ]; then
    exit 0
fi
python3 -m venv "$folder"
# shellcheck disable=SC2086 # a list of words
"$folder/bin/pip" install -q --disable-pip-version-check $wanted
echo "$wanted" >"$folder/installed"
