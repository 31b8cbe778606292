# SPDX-License-Identifier: MIT
# Sourced: sets PYTHON to an interpreter that has Jinja2 (the one of the system, where the first has not).
for PYTHON in "${MCPW_PYTHON:-python3}" python3 /usr/bin/python3; do
    if "$PYTHON" -c 'import jinja2' >/dev/null 2>&1; then
        break
    fi
done
if ! "$PYTHON" -c 'import jinja2' >/dev/null 2>&1; then
    echo "python: no Python 3 with Jinja2 found (Debian: python3-jinja2; elsewhere: pip install jinja2)" >&2
    exit 2
fi
PYTHON=$(command -v "$PYTHON")
