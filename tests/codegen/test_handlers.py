# SPDX-License-Identifier: MIT
# Slow: tools/test.sh runs it with --all.
"""The typed layer over sessions: which slots and wrappers a revision has, and what the wrappers pass on."""

from __future__ import annotations

import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from codegen.emit.render import generate_files
from codegen.facts.edition import find_listed
from codegen.facts.facts import Facts
from codegen.plan.cplan import HandlersPlan
from codegen.plan.revision_plan import plan_revision
from codegen.source.revisions import load as load_revisions
from tests.codegen.support import LAYOUT, ROOT, SCHEMA_DIR, build, document_2020_12
from tests.codegen.test_render import WARNINGS, all_files, compilers, write

LIST_CHANGED = "prompts_list_changed resources_list_changed resources_updated tools_list_changed"
# The slots of each revision; those of notifications without the word that they begin with.
SERVER_REQUESTS = """completion_complete prompts_get prompts_list resources_list resources_read
    resources_templates_list tools_call tools_list"""
LEGACY_REQUESTS = SERVER_REQUESTS + " logging_set_level resources_subscribe resources_unsubscribe"
LEGACY_NOTICES = "cancelled initialized progress roots_list_changed"
CLIENT_NOTICES = f"cancelled message progress {LIST_CHANGED}"
TASKS = "tasks_cancel tasks_get tasks_list tasks_result"
SLOTS = {
    "2024-11-05": {
        "SERVER": (LEGACY_REQUESTS, LEGACY_NOTICES),
        "CLIENT": ("roots_list sampling_create_message", CLIENT_NOTICES),
    },
    "2025-03-26": {
        "SERVER": (LEGACY_REQUESTS, LEGACY_NOTICES),
        "CLIENT": ("roots_list sampling_create_message", CLIENT_NOTICES),
    },
    "2025-06-18": {
        "SERVER": (LEGACY_REQUESTS, LEGACY_NOTICES),
        "CLIENT": ("elicitation_create roots_list sampling_create_message", CLIENT_NOTICES),
    },
    "2025-11-25": {
        "SERVER": (f"{LEGACY_REQUESTS} {TASKS}", f"{LEGACY_NOTICES} tasks_status"),
        "CLIENT": (
            f"elicitation_create roots_list sampling_create_message {TASKS}",
            f"{CLIENT_NOTICES} elicitation_complete tasks_status",
        ),
    },
    "2026-07-28": {
        "SERVER": (SERVER_REQUESTS, "cancelled"),
        "CLIENT": (
            "elicitation_create roots_list sampling_create_message",
            f"{CLIENT_NOTICES} subscriptions_acknowledged",
        ),
    },
}

# A cast of C itself, and a statement with one to a pointer by the macro that C++ accepts too.
C_CAST = re.compile(r"\((?:const )?\w+(?: \*+)?\)[\w&(]")
CHECKED = re.compile(r"(?:type == |mcpw_message_value\([^?]*)&(\w+)(?:\s+\?|\)\);)")
POINTER_CAST = re.compile(r"(?<=[;{])([^;{]*MCPW_CAST\(const (\w+) \*,[^;]*;)")

RESULT = {"type": "object", "properties": {"r": {"type": "string"}}}


def message(method: str, **params: Any) -> Dict[str, Any]:
    properties: Dict[str, Any] = {"method": {"const": method}}
    if params:
        properties["params"] = {"type": "object", "properties": params}
    return {"type": "object", "properties": properties, "required": ["method"]}


def union(name: str, **alternatives: Dict[str, Any]) -> Dict[str, Any]:
    """Definitions of messages, and of their union."""
    return {name: {"anyOf": [{"$ref": f"#/$defs/{key}"} for key in alternatives]}, **alternatives}


def handlers_of(revision: str) -> HandlersPlan:
    edition = find_listed(load_revisions(SCHEMA_DIR), revision)
    return plan_revision(edition.document, edition.facts).handlers


def plan(**definitions: Any) -> HandlersPlan:
    return plan_revision(build(document_2020_12(**definitions)), Facts("2000-01-01")).handlers


def parts(names: List[str], kind: str) -> List[str]:
    """The part after the revision and the kind in names such as mcp_20260728_ask_roots_list."""
    return [name.split("_", 2)[2][len(kind) + 1 :] for name in names]


class SlotTest(unittest.TestCase):
    def test_slots_of_each_revision(self) -> None:
        for revision, sides in SLOTS.items():
            for side in handlers_of(revision).sides:
                with self.subTest(revision=revision, side=side.role):
                    requests, notices = sides[side.role]
                    found = {slot.name for slot in side.slots if slot.request}
                    self.assertEqual(found, set(requests.split()))
                    found = {slot.name for slot in side.slots if not slot.request}
                    self.assertEqual(found, {f"notifications_{name}" for name in notices.split()})

    def test_a_slot_takes_the_params_of_its_method(self) -> None:
        for side in handlers_of("2026-07-28").sides:
            params = {slot.name: slot.params for slot in side.slots}
            if side.role == "SERVER":
                self.assertEqual(params["tools_call"], "mcp_20260728_call_tool_request_params")

    def test_a_slot_whose_name_c_or_this_library_takes_gets_an_underscore(self) -> None:
        (side,) = plan(
            **union("ClientNotification", A=message("copy"), B=message("if"), C=message("2nd"))
        ).sides
        self.assertEqual([slot.name for slot in side.slots], ["_2nd", "copy_", "if_"])

    def test_a_method_without_params_passes_a_pointer_to_nothing_known(self) -> None:
        (side,) = plan(ClientNotification=message("a")).sides
        self.assertEqual(side.slots[0].params, "void")

    def test_a_side_that_receives_nothing_has_no_slots(self) -> None:
        self.assertEqual(plan(Tool=RESULT).sides, ())


class WrapperTest(unittest.TestCase):
    def test_what_only_the_session_makes_has_no_wrapper(self) -> None:
        for revision in SLOTS:
            found = handlers_of(revision)
            wrappers = (*found.requests, *found.replies, *found.calls, *found.notifies)
            names = " ".join(wrapper.name for wrapper in wrappers) + " "
            for absent in (
                "_initialize ",
                "_server_discover",
                "_subscriptions_",
                "_initialized",
                "_cancelled",
            ):
                self.assertNotIn(absent, names)

    def test_a_ping_can_be_sent_but_is_not_for_handlers_to_answer(self) -> None:
        found = handlers_of("2025-11-25")
        self.assertIn("mcp_20251125_request_ping", [wrapper.name for wrapper in found.requests])
        self.assertIn("mcp_20251125_call_ping", [wrapper.name for wrapper in found.calls])
        self.assertNotIn("mcp_20251125_respond_ping", [wrapper.name for wrapper in found.responds])

    def test_a_waiting_client_calls_what_clients_send(self) -> None:
        names = [wrapper.name for wrapper in handlers_of("2025-11-25").calls]
        self.assertIn("mcp_20251125_call_tasks_get", names)
        self.assertIn("mcp_20251125_call_tools_call_task", names)
        self.assertNotIn("mcp_20251125_call_prompts_get_task", names)
        self.assertNotIn("mcp_20251125_call_roots_list", names)

    def test_what_a_server_asks_a_client_for(self) -> None:
        both = ["roots_list", "sampling_create_message"]
        expected = {revision: ["elicitation_create", *both] for revision in SLOTS}
        expected["2024-11-05"] = expected["2025-03-26"] = both
        tasks = ["elicitation_create", "elicitation_create_task", *both, "sampling_create_message_task"]
        expected["2025-11-25"] = tasks
        found = {r: parts([w.name for w in handlers_of(r).asks], "ask") for r in SLOTS}
        self.assertEqual(found, expected)

    def test_other_answers_than_the_result(self) -> None:
        """Tasks of 2025-11-25 and rounds of 2026-07-28."""
        other = {}
        for revision in SLOTS:
            found = handlers_of(revision)
            plain = {name for name, _ in SLOTS[revision].values() for name in name.split()}
            names = parts([wrapper.name for wrapper in found.responds], "respond")
            other[revision] = [name for name in names if name not in plain]
            self.assertEqual(len(names) - len(other[revision]), len(plain), revision)
        tasks = ["elicitation_create_task", "sampling_create_message_task", "tools_call_task"]
        expected: Dict[str, List[str]] = {revision: [] for revision in SLOTS}
        self.assertEqual(other, {**expected, "2025-11-25": tasks, "2026-07-28": ["input_required"]})

    def test_notifications_lose_the_word_that_all_begin_with(self) -> None:
        names = parts([wrapper.name for wrapper in handlers_of("2026-07-28").notifies], "notify")
        self.assertEqual(sorted(names), sorted(f"message progress {LIST_CHANGED}".split()))


class NameTest(unittest.TestCase):
    def test_definitions_give_way_to_the_structs_of_slots(self) -> None:
        document = build(document_2020_12(ServerHandlers=RESULT, ClientDispatch=RESULT))
        found = plan_revision(document, Facts("2000-01-01"))
        self.assertEqual(
            [decl.name for decl in found.types],
            ["mcp_20000101_client_dispatch_", "mcp_20000101_server_handlers_"],
        )

    def test_a_wrapper_leaves_its_name_to_a_definition(self) -> None:
        for kind in ("Respond", "Request", "Reply", "Call"):
            with self.subTest(kind=kind):
                made = plan(ClientRequest=message("a/b"), EmptyResult=RESULT, **{f"{kind}A_b": RESULT})
                groups = (made.responds, made.requests, made.replies)
                found = {wrapper.name for group in (*groups, made.calls) for wrapper in group}
                self.assertIn(f"mcp_20000101_{kind.lower()}_a_b_", found)

    def test_notifications_that_differ_in_the_lost_word_alone_are_told_apart(self) -> None:
        both = union("ClientNotification", A=message("notifications/x"), B=message("x"))
        names = [wrapper.name for wrapper in plan(**both).notifies]
        self.assertEqual(names, ["mcp_20000101_notify_x", "mcp_20000101_notify_x_"])


TOOLS_CALL = """
/* Answers tools/call: mcpw_respond. */
MCPW_NODISCARD static inline mcpw_status mcp_20251125_respond_tools_call(mcpw_request *request,
    const mcp_20251125_call_tool_result *result, mcpw_error *error) {
    return mcpw_respond(request, &mcp_20251125_call_tool_result_table, result, error);
}

/* Answers tools/call that carried a task: mcpw_respond. */
MCPW_NODISCARD static inline mcpw_status mcp_20251125_respond_tools_call_task(mcpw_request *request,
    const mcp_20251125_create_task_result *result, mcpw_error *error) {
    return mcpw_respond(request, &mcp_20251125_create_task_result_table, result, error);
}
"""

# The runtime's functions, noting what they were passed, for wrappers to call.
CALLS_PROGRAM = """
#include <mcp/2025-11-25/client.h>
#include <mcp/2026-07-28/client.h>

static int method;
static const mcpw_revision *revision;
static const mcpw_type *type; /* that was passed */
static const mcpw_type *came; /* of what a call brings */
static const void *value;

static mcpw_status passed(const mcpw_revision *r, int m, const void *params) {
    revision = r;
    method = m;
    value = params;
    return MCPW_E_CLOSED;
}
mcpw_status mcpw_respond(mcpw_request *request, const mcpw_type *t, const void *result, mcpw_error *error) {
    (void)request, (void)error;
    type = t;
    value = result;
    return MCPW_E_CLOSED;
}
mcpw_status mcpw_session_request(mcpw_session *session, const mcpw_revision *r, int m, const void *params,
                                 const mcpw_call *call, mcpw_on_reply on_reply, void *user, int64_t *number,
                                 mcpw_error *error) {
    (void)session, (void)call, (void)on_reply, (void)user, (void)number, (void)error;
    return passed(r, m, params);
}
mcpw_status mcpw_session_notify(mcpw_session *session, const mcpw_revision *r, int m, const void *params,
                                mcpw_error *error) {
    (void)session, (void)error;
    return passed(r, m, params);
}
mcpw_status mcpw_request_ask(mcpw_request *request, const char *key, const mcpw_revision *r, int m,
                             const void *params, mcpw_result *result, mcpw_error *error) {
    (void)request, (void)error;
    type = result->type;
    result->type = came;
    result->value = key;
    return passed(r, m, params);
}
mcpw_status mcpw_client_request(mcpw_client *client, const mcpw_revision *r, int m, const void *params,
                                const mcpw_call *call, mcpw_arena *arena, mcpw_result *result,
                                mcpw_error *error) {
    (void)client, (void)call, (void)arena, (void)error;
    type = result->type;
    result->type = came;
    result->value = params;
    return passed(r, m, params);
}

#define CHECK(condition) \\
    if (!(condition)) { \\
        return __LINE__; \\
    }

int main(void) {
    static const mcp_20260728_call_tool_request_params params;
    static const mcp_20260728_call_tool_result result;
    static const mcp_20260728_input_required_result round;
    static const mcp_20260728_create_message_request_params question;
    static const mcp_20260728_progress_notification_params progress;
    const mcp_20260728_call_tool_result *got = NULL;
    const mcp_20260728_create_message_result *answer = NULL;
    const mcp_20251125_create_task_result *task = NULL;
    CHECK(mcp_20260728_respond_tools_call(NULL, &result, NULL) == MCPW_E_CLOSED);
    CHECK(type == &mcp_20260728_call_tool_result_table && value == &result);
    CHECK(mcp_20260728_respond_input_required(NULL, &round, NULL) == MCPW_E_CLOSED);
    CHECK(type == &mcp_20260728_input_required_result_table && value == &round);
    CHECK(mcp_20251125_respond_tools_call_task(NULL, NULL, NULL) == MCPW_E_CLOSED);
    CHECK(type == &mcp_20251125_create_task_result_table && value == NULL);
    CHECK(mcp_20260728_request_tools_call(NULL, &params, NULL, NULL, NULL, NULL, NULL) == MCPW_E_CLOSED);
    CHECK(revision == &mcp_20260728_revision && method == MCP_20260728_METHOD_TOOLS_CALL && value == &params);
    CHECK(mcp_20260728_notify_progress(NULL, &progress, NULL) == MCPW_E_CLOSED);
    CHECK(method == MCP_20260728_METHOD_NOTIFICATIONS_PROGRESS && value == &progress);
    came = &mcp_20260728_create_message_result_table;
    CHECK(mcp_20260728_ask_sampling_create_message(NULL, "k", &question, &answer, NULL) == MCPW_E_CLOSED);
    CHECK(method == MCP_20260728_METHOD_SAMPLING_CREATE_MESSAGE && value == &question);
    CHECK(type == came && *(const char *)(const void *)answer == 'k');
    CHECK(mcp_20251125_request_ping(NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MCPW_E_CLOSED);
    CHECK(revision == &mcp_20251125_revision && method == MCP_20251125_METHOD_PING && value == NULL);
    CHECK(mcp_20260728_call_tools_call(NULL, &params, NULL, NULL, &got, NULL) == MCPW_E_CLOSED);
    CHECK(method == MCP_20260728_METHOD_TOOLS_CALL && type == &mcp_20260728_call_tool_result_table);
    CHECK(got == NULL); /* what came has another type */
    came = &mcp_20260728_call_tool_result_table;
    CHECK(mcp_20260728_call_tools_call(NULL, &params, NULL, NULL, &got, NULL) == MCPW_E_CLOSED);
    CHECK((const void *)got == &params);
    CHECK(mcp_20251125_call_tools_call_task(NULL, NULL, NULL, NULL, &task, NULL) == MCPW_E_CLOSED);
    CHECK(type == &mcp_20251125_create_task_result_table && task == NULL);
    return 0;
}
"""


class TextTest(unittest.TestCase):
    def test_wrappers_of_a_method_that_may_be_a_task(self) -> None:
        name = "2025-11-25/mcp/2025-11-25/handlers.h"
        self.assertIn(TOOLS_CALL, all_files()[name])

    def test_no_cast_without_a_check_of_the_type(self) -> None:
        """A value becomes what its table describes where that was compared, here or by mcpw_message_value."""
        tables = {
            table: target
            for name, text in all_files().items()
            if name.endswith("tables.c")
            for table, target in re.findall(r"^const mcpw_type (\w+) = .*sizeof\((\w+)\)", text, re.M)
        }
        for name, text in all_files().items():
            if not name.endswith(".h"):
                continue
            with self.subTest(header=name):
                self.assertEqual(C_CAST.findall(text), [])
                for statement, target in POINTER_CAST.findall(text):
                    checks = CHECKED.findall(statement)
                    self.assertEqual([tables[table] for table in checks], [target], statement)

    def test_the_scan_sees_casts_without_a_check(self) -> None:
        self.assertTrue(C_CAST.search("    return (const mcp_20251125_tool *)found;"))
        self.assertTrue(C_CAST.search("    return (mcp_20251125_role)mcpw_enum_value_of(x);"))
        text = all_files()["2025-11-25/mcp/2025-11-25/client.h"]
        wrappers = text.count("static inline")
        self.assertEqual(len(POINTER_CAST.findall(text)), wrappers)

    def test_wrappers_pass_on_number_type_and_value(self) -> None:
        command = next((c for c in compilers() if c[0] in ("gcc", "clang")), None)
        if command is None:
            self.skipTest("skipped: no C compiler")
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            write(out, all_files())
            (out / "unit.c").write_text(CALLS_PROGRAM, encoding="utf-8")
            revisions = [out / "2025-11-25", out / "2026-07-28"]
            sources = [out / "unit.c", LAYOUT, *(revision / "tables.c" for revision in revisions)]
            includes = [f"-I{path}" for path in (ROOT / "runtime" / "include", *revisions)]
            # Optimised, so that the inline functions that nothing calls need no library to link with.
            subprocess.run([*command, "-O1", *includes, *sources, "-o", str(out / "unit")], check=True)
            line = subprocess.run([str(out / "unit")], check=False).returncode
            self.assertEqual(line, 0, f"line {line} (modulo 256) of the program")

    def test_dispatch_compiles_whatever_a_side_receives(self) -> None:
        request = message("ask")
        notice = message("tell", text={"type": "string"})
        cases: List[Dict[str, Any]] = [
            {"Tool": RESULT},
            {"ClientRequest": request},
            {"ClientNotification": notice},
            {"ServerRequest": request, "ServerNotification": notice, "ClientRequest": request},
        ]
        for case in cases:
            with self.subTest(case=sorted(case)), tempfile.TemporaryDirectory() as folder:
                document = build(document_2020_12(EmptyResult=RESULT, **case))
                write(Path(folder), generate_files(document, Facts("2000-01-01")))
                source = Path(folder) / "2000-01-01" / "handlers.c"
                includes = [f"-I{ROOT / 'runtime' / 'include'}", f"-I{source.parent}"]
                for command in compilers():
                    if command[0] in ("gcc", "clang"):
                        subprocess.run([*command, *WARNINGS, *includes, str(source)], check=True)


if __name__ == "__main__":
    unittest.main()
