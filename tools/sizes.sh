#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints how large the codec is, by option and by revision, on x86-64 and on a Cortex-M4: the tables of README.
# Takes some minutes. `tools/sizes.sh --check` holds the sizes against their limits.
# Needs gcc, gcc-arm-none-eabi and libnewlib-arm-none-eabi (Debian).
set -eu
cd "$(dirname "$0")/.."
. tools/python.sh
exec "$PYTHON" -m tests.small.sizes "$@"
