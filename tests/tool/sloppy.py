# SPDX-License-Identifier: MIT
"""A server whose every answer the test gives: sloppy.py '{"METHOD": [LINE...]}'.

A line is a message, in which "$id" stands for the id of the request and "$text" for that id as a string.
A string is printed as it is. Notifications get no answer, and methods that are not named an error.
"""

import json
import sys
from typing import Any, Dict


def filled(value: Any, id_: Any) -> Any:
    if value == "$id":
        return id_
    if value == "$text":
        return str(id_)
    if isinstance(value, dict):
        return {name: filled(member, id_) for name, member in value.items()}
    return [filled(item, id_) for item in value] if isinstance(value, list) else value


def main() -> None:
    answers: Dict[str, Any] = json.loads(sys.argv[1])
    unknown = [{"jsonrpc": "2.0", "id": "$id", "error": {"code": -32601, "message": "Method not found"}}]
    for line in sys.stdin:
        request = json.loads(line)
        for answer in answers.get(request["method"], unknown) if "id" in request else []:
            print(
                answer if isinstance(answer, str) else json.dumps(filled(answer, request["id"])), flush=True
            )


main()
