# SPDX-License-Identifier: MIT
"""How tables are laid out: hashes that find every key, a pool that can be read ahead of."""

from __future__ import annotations

import unittest
from decimal import Decimal
from typing import Any, Dict, List

from codegen.emit.fragments import CString
from codegen.emit.hashes import NO_INDEX, find_hash, hash_of
from codegen.emit.pack import Packed, Packer
from codegen.emit.pool import TextPool, mask_of
from codegen.errors import Refusal
from codegen.facts.facts import Facts
from codegen.plan.cplan import Plan, Tables
from codegen.plan.revision_plan import plan_revision
from tests.codegen.support import build, document_2020_12


def plan(**definitions: Any) -> Plan:
    return plan_revision(build(document_2020_12(**definitions)), Facts("2000-01-01"))


def packed(**definitions: Any) -> Packed:
    return Packer(plan(**definitions), "schema.json").pack()


def rows(packed_tables: Packed, name: str) -> tuple[str, ...]:
    """The initialisers of a table, without the commas after them."""
    found = next(table.rows for table in packed_tables.tables if table.name == name)
    return tuple(row.replace(", /*", " /*").removesuffix(",") for row in found)


class HashTest(unittest.TestCase):
    def test_the_formula(self) -> None:
        by_hand = 3 * 5 + (ord("a") << 2) + ord("a") * 3 + ord("b") + ord("c")
        self.assertEqual(hash_of(b"abc", 5, 2, 255), by_hand & 255)

    def test_every_key_is_found_in_its_slot(self) -> None:
        keys = [b"name", b"title", b"description", b"inputSchema", b"_meta", b"icons", b"x"]
        found = find_hash(keys)
        self.assertNotEqual(found.multiplier, 0)
        for number, key in enumerate(keys):
            slot = hash_of(key, found.multiplier, found.shift, found.mask)
            self.assertEqual(found.slots[slot], number)

    def test_other_slots_are_empty(self) -> None:
        found = find_hash([b"a", b"b", b"c"])
        self.assertEqual(sorted(found.slots), [0, 1, 2, NO_INDEX])

    def test_keys_that_the_hash_cannot_part_have_none(self) -> None:
        self.assertEqual(find_hash([b"abbbb", b"acbbb", b"abcbb", b"abbcb"]).multiplier, 0)

    def test_no_keys_have_no_hash(self) -> None:
        self.assertEqual(find_hash([]).slots, ())


class PoolTest(unittest.TestCase):
    def test_the_sentinel_comes_first_and_padding_last(self) -> None:
        pool = TextPool()
        self.assertEqual(pool.texts(), ((0, b"\x01" * 16),))
        self.assertEqual(pool.size(), 17 + 32)

    def test_equal_texts_stand_once(self) -> None:
        pool = TextPool()
        self.assertEqual(pool.key("name"), pool.key("name"))
        self.assertNotEqual(pool.key("name")[0], pool.quoted("name")[0])

    def test_a_key_stands_with_quotes_and_colon(self) -> None:
        pool = TextPool()
        offset, mask, length = pool.key("é")
        self.assertEqual(dict(pool.texts())[offset], '"é":'.encode())
        self.assertEqual((mask, length), (0b11111, 2))

    def test_a_mask_covers_sixteen_bytes_at_most(self) -> None:
        self.assertEqual((mask_of(3), mask_of(16), mask_of(40)), (0b111, 0xFFFF, 0xFFFF))

    def test_texts_are_c_literals_without_traps(self) -> None:
        self.assertEqual(
            CString(b'"a\\\n\x01' + "é".encode() + b"9??/"), '"\\"a\\\\\\012\\001\\303\\2519\\?\\?/"'
        )

    def test_names_stand_after_all_other_texts(self) -> None:
        found = packed(Role={"enum": ["user", "assistant"]}, X={"type": "object", "properties": {"a": {}}})
        texts = [text for _, text in found.pool]
        self.assertEqual([text for _, text in found.names if text in texts], [])
        self.assertIn('"Role\\000"', [text for _, text in found.names])
        last, text = found.pool[-1]
        self.assertEqual(found.names[0][0], found.names_at)
        self.assertEqual(found.names_at, last + len(text.replace("\\000", "0").replace('\\"', "'")) - 2)

    def test_types_and_tables_share_their_names(self) -> None:
        found = packed(X={"type": "object", "properties": {"a": {}}})
        self.assertEqual([text for _, text in found.names].count('"X\\000"'), 1)
        self.assertIn("MCPW_NAME(NAMES + ", found.handles[0])

    def test_the_largest_struct_is_known(self) -> None:
        members = {name: {} for name in "abc"}
        self.assertEqual(packed(X={"type": "object", "properties": members}).largest_struct, 3)

    def test_every_text_of_a_revision_ends_with_nul(self) -> None:
        found = packed(Role={"enum": ["user", "assistant"]})
        offsets = [offset for offset, _ in found.pool]
        self.assertEqual(offsets, sorted(offsets))
        self.assertTrue(all(text.endswith('\\000"') for _, text in found.pool))


class RowTest(unittest.TestCase):
    def test_forms_of_members(self) -> None:
        schema = {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "count": {"type": "integer", "minimum": 0},
                "tag": {"const": "t"},
                "mark": {"const": 1},
                "self": {"$ref": "#/$defs/X"},
                "any": {},
            },
            "required": ["count", "tag"],
        }
        found = [row.split(", ")[-3] for row in rows(packed(X=schema), "rows")[:6]]
        kinds = ["STRING", "INTEGER", "CONST", "OPT_CONST", "STRUCT_PTR", "JSON"]
        self.assertEqual(found, [f"MCPW_KIND_{kind}" for kind in kinds])

    def test_required_members_are_bits(self) -> None:
        schema = {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "required": ["a", "c"]}
        self.assertTrue(rows(packed(X=schema), "structs")[0].startswith("MCPW_STRUCT(UINT64_C(0x5), "))

    def test_a_sentinel_stands_after_the_rows_of_a_struct(self) -> None:
        schema = {"type": "object", "properties": {"a": {}}}
        found = rows(packed(X=schema), "rows")
        self.assertEqual(found[1], "MCPW_END_ROW(offsetof(mcp_20000101_x, extra), 0)")

    def test_a_row_tells_small_builds_the_numbers_of_its_name_and_its_type(self) -> None:
        of = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
        tables = packed(X=of, Y={**of, "required": ["b"]})
        found = [row.split(", ") for row in rows(tables, "rows") if row.startswith("MCPW_ROW(")][:4]
        self.assertEqual([row[0] for row in found], ["MCPW_ROW(1", "MCPW_ROW(2"] * 2)
        self.assertEqual([row[-5] for row in found], ["0", "0", "0", "1"])
        self.assertEqual(len({row[-4] for row in found}), 1)
        self.assertEqual(rows(tables, "refs")[int(found[0][-4])], "{MCPW_KIND_STRING, 0, 0}")
        self.assertEqual(list(rows(tables, "keys")[:3]), ["0", found[0][1], found[1][1]])

    def test_the_name_of_a_place_stands_after_those_of_types(self) -> None:
        inner = {"type": "object", "properties": {"a": {}}}
        tables = packed(X={"type": "object", "properties": {"in": inner}})
        self.assertEqual([text for _, text in tables.places], ['"X.in\\000"'])
        self.assertNotIn('"X.in\\000"', [text for _, text in tables.names])
        self.assertEqual(tables.places[0][0], tables.places_at)

    def test_a_bound_stands_among_the_texts_that_every_build_has(self) -> None:
        tables = packed(X={"type": "number", "maximum": Decimal("0.5")})
        self.assertIn('"0.5\\000"', [text for _, text in tables.pool])

    def test_a_required_struct_that_contains_itself_becomes_a_pointer(self) -> None:
        x = {"type": "object", "properties": {"y": {"$ref": "#/$defs/Y"}}, "required": ["y"]}
        y = {"type": "object", "properties": {"x": {"$ref": "#/$defs/X"}}, "required": ["x"]}
        tables: Tables = plan(X=x, Y=y).tables
        self.assertEqual([s.rows[0].ref.kind for s in tables.structs[:2]], ["STRUCT_PTR", "STRUCT_PTR"])

    def test_a_union_that_contains_itself_becomes_a_pointer(self) -> None:
        node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/U"}}, "required": ["next"]}
        tables = plan(U={"anyOf": [{"$ref": "#/$defs/N"}, {"type": "string"}]}, N=node).tables
        self.assertEqual(tables.structs[0].rows[0].ref.kind, "UNION_PTR")

    def test_bounds_become_checks(self) -> None:
        document = plan(X={"type": "integer", "exclusiveMinimum": Decimal("0.5"), "maximum": 9})
        check = document.tables.checks[1]
        self.assertEqual((check.minimum, check.maximum), ("INT64_C(1)", "INT64_C(9)"))
        self.assertEqual((check.flags, check.min_text), (("MIN", "MAX"), "0.5"))

    def test_a_factor_becomes_a_check_of_its_own(self) -> None:
        check = plan(X={"type": "integer", "minimum": 0, "multipleOf": 5}).tables.checks[1]
        self.assertEqual((check.flags, check.argument), (("MIN", "MULTIPLE"), "5"))

    def test_a_closed_object_keeps_no_others(self) -> None:
        schema = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
        entry = plan(X=schema).tables.structs[0]
        self.assertEqual((entry.keeps_extra, entry.extra_value.kind), (False, "END"))

    def test_an_array_of_nothing_but_itself_stays_text(self) -> None:
        found = plan(A={"type": "array", "items": {"$ref": "#/$defs/A"}})
        self.assertEqual(found.handles[0].ref.kind, "SHAPED")
        self.assertEqual([shape.kind for shape in found.tables.shapes], ["ARRAY"])

    def test_a_union_of_every_json_type_stays_text_that_is_checked(self) -> None:
        found = plan(X={"type": "object", "properties": {"a": {"minimum": 1}}})
        (row,) = found.tables.structs[0].rows
        self.assertEqual((row.ref.kind, found.tables.shapes[row.ref.index].kind), ("SHAPED", "UNION"))

    def test_a_raw_definition_may_contain_itself_and_is_checked(self) -> None:
        document = build(document_2020_12(A={"type": "array", "items": {"$ref": "#/$defs/A"}}))
        found = plan_revision(document, Facts("2000-01-01", raw=frozenset(("A",))))
        self.assertEqual(found.handles[0].ref.kind, "SHAPED")
        self.assertEqual([shape.kind for shape in found.tables.shapes], ["ARRAY"])


class RefusedTest(unittest.TestCase):
    def test_all_places_are_told_in_one_run(self) -> None:
        """If unions.json has to list all unions, each one that it lacks is reported."""
        union = {"anyOf": [{"type": "object", "properties": {name: {}}} for name in ("a", "b")]}
        document = build(document_2020_12(U=union, V={"type": "array", "items": union}, W={"type": "string"}))
        with self.assertRaises(Refusal) as caught:
            plan_revision(document, Facts("2000-01-01", complete=True))
        found = [refusal.pointer for refusal in caught.exception.all]
        self.assertEqual(sorted(found), ["/$defs/U", "/$defs/V/items"])

    def refused(self, **definitions: Any) -> List[str]:
        with self.assertRaises(Refusal) as caught:
            packed(**definitions)
        return sorted(f"{each.pointer}: {each.cause}" for each in caught.exception.all)

    def test_so_are_several_places_of_one_definition(self) -> None:
        wide = {"type": "integer", "minimum": -(2**80)}
        members = {"a": wide, "b": {"type": "array", "items": wide}, "c": {"additionalProperties": wide}}
        found = self.refused(X={"type": "object", "properties": members})
        places = ("a", "b/items", "c/additionalProperties")
        self.assertEqual([line.split(":")[0] for line in found], [f"/$defs/X/properties/{p}" for p in places])

    def test_methods_and_what_is_wrong_with_types_are_told_together(self) -> None:
        def message(method: Any) -> Dict[str, Any]:
            members = {"method": method, "params": {"type": "object", "properties": {}}}
            return {"type": "object", "properties": members, "required": ["method"]}

        messages = {
            "FreeRequest": message({"type": "string"}),
            "NamelessRequest": message({"const": "?"}),
            "LoneRequest": message({"const": "lone"}),
            "LongRequest": message({"const": "m" * 256}),
        }
        union = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in messages]}
        found = self.refused(ClientRequest=union, Wide={"type": "integer", "minimum": -(2**80)}, **messages)
        self.assertEqual(
            found,
            [
                "/$defs/ClientRequest/anyOf/0: a message of ClientRequest without a constant method",
                '/$defs/LoneRequest: no definition "LoneResult" says what answers lone',
                "/$defs/LongRequest: the method has a name of 256 bytes: at most 255 are possible",
                '/$defs/NamelessRequest: method "?" leaves nothing to name it by in C',
                f"/$defs/Wide: the bound {-(2**80)} does not fit 64 bits",
            ],
        )

    def test_a_method_whose_params_are_refused_is_told_no_second_time(self) -> None:
        members = {"method": {"const": "a"}, "params": {"type": "integer", "minimum": -(2**80)}}
        request = {"type": "object", "properties": members, "required": ["method"]}
        found = self.refused(ClientRequest={"$ref": "#/$defs/ARequest"}, ARequest=request, AResult={})
        self.assertEqual(len(found), 1, found)

    def test_all_that_tables_cannot_hold_is_told_in_one_run(self) -> None:
        bounds = {f"n{i}": {"type": "integer", "minimum": i} for i in range(1, 61)}
        objects = {
            f"X{i}": {
                "type": "object",
                "properties": {k: {**v, "maximum": 1000 + i} for k, v in bounds.items()},
            }
            for i in range(5)
        }
        texts = {f"E{i}": {"enum": [f"{i}-{k}-{'x' * 200}" for k in range(100)]} for i in range(4)}
        self.assertEqual(
            self.refused(**objects, **texts),
            [
                ": the schema needs more than 255 different constraints",
                ": the texts of the schema need more than 64 KiB",
            ],
        )


class DemandTest(unittest.TestCase):
    """A residual constraint stands in tables of schemas, reached through a union of one."""

    def test_a_residual_is_a_union_of_one(self) -> None:
        made = plan(X={"type": "string", "pattern": "^a"})
        self.assertEqual([entry.texts for entry in made.tables.residuals], [('{"pattern":"^a"}',)])
        self.assertEqual([(u.flags, u.residual) for u in made.tables.unions], [(("BARE", "RESIDUAL"), 0)])
        self.assertEqual([alias.target for alias in made.aliases], ["mcpw_str"])

    def test_alternatives_that_are_proven_apart_are_checked_no_further(self) -> None:
        made = plan(X={"oneOf": [{"type": "string"}, {"type": "integer"}]})
        self.assertEqual(made.tables.residuals, ())

    def test_who_has_patterns_is_told_what_to_link(self) -> None:
        notes = [note.text for note in plan(X={"pattern": "^a"}).notes]
        self.assertEqual(len([text for text in notes if "mcpwire::pcre2" in text]), 1)
        self.assertEqual(plan(X={"not": {"type": "string"}}).notes, ())


if __name__ == "__main__":
    unittest.main()
