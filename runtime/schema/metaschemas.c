/* SPDX-License-Identifier: MIT */
/* The meta-schemas of the dialects, as json-schema.org publishes them, without what only says something to
 * people (titles, comments, defaults): references lead to them. */
#include "keywords.h"

static const char of_2020_schema[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2020-12/schema\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/core\":true,\""
    "https://json-schema.org/draft/2020-12/vocab/applicator\":true,\"https://json-schema.org/draft/2020"
    "-12/vocab/unevaluated\":true,\"https://json-schema.org/draft/2020-12/vocab/validation\":true,\"htt"
    "ps://json-schema.org/draft/2020-12/vocab/meta-data\":true,\"https://json-schema.org/draft/2020-12/"
    "vocab/format-annotation\":true,\"https://json-schema.org/draft/2020-12/vocab/content\":true},\"$dy"
    "namicAnchor\":\"meta\",\"allOf\":[{\"$ref\":\"meta/core\"},{\"$ref\":\"meta/applicator\"},{\"$ref"
    "\":\"meta/unevaluated\"},{\"$ref\":\"meta/validation\"},{\"$ref\":\"meta/meta-data\"},{\"$ref\":\""
    "meta/format-annotation\"},{\"$ref\":\"meta/content\"}],\"type\":[\"object\",\"boolean\"],\"propert"
    "ies\":{\"definitions\":{\"$comment\":\"\\\"definitions\\\" has been replaced by \\\"$defs\\\".\","
    "\"type\":\"object\",\"additionalProperties\":{\"$dynamicRef\":\"#meta\"},\"deprecated\":true,\"def"
    "ault\":{}},\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[{\"$dynamicR"
    "ef\":\"#meta\"},{\"$ref\":\"meta/validation#/$defs/stringArray\"}]}},\"$recursiveAnchor\":{\"$ref"
    "\":\"meta/core#/$defs/anchorString\"},\"$recursiveRef\":{\"$ref\":\"meta/core#/$defs/uriReferenceS"
    "tring\"}}}";

static const char of_2020_core[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2020-12/meta/core\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/core\":true"
    "},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boolean\"],\"properties\":{\"$id\":{\"$ref\":"
    "\"#/$defs/uriReferenceString\",\"pattern\":\"^[^#]*#?$\"},\"$schema\":{\"$ref\":\"#/$defs/uriStrin"
    "g\"},\"$ref\":{\"$ref\":\"#/$defs/uriReferenceString\"},\"$anchor\":{\"$ref\":\"#/$defs/anchorStri"
    "ng\"},\"$dynamicRef\":{\"$ref\":\"#/$defs/uriReferenceString\"},\"$dynamicAnchor\":{\"$ref\":\"#/$"
    "defs/anchorString\"},\"$vocabulary\":{\"type\":\"object\",\"propertyNames\":{\"$ref\":\"#/$defs/ur"
    "iString\"},\"additionalProperties\":{\"type\":\"boolean\"}},\"$comment\":{\"type\":\"string\"},\"$"
    "defs\":{\"type\":\"object\",\"additionalProperties\":{\"$dynamicRef\":\"#meta\"}}},\"$defs\":{\"an"
    "chorString\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z_][-A-Za-z0-9._]*$\"},\"uriString\":{\"typ"
    "e\":\"string\",\"format\":\"uri\"},\"uriReferenceString\":{\"type\":\"string\",\"format\":\"uri-re"
    "ference\"}}}";

static const char of_2020_applicator[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2020-12/meta/applicator\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/appli"
    "cator\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boolean\"],\"properties\":{\"pref"
    "ixItems\":{\"$ref\":\"#/$defs/schemaArray\"},\"items\":{\"$dynamicRef\":\"#meta\"},\"contains\":{"
    "\"$dynamicRef\":\"#meta\"},\"additionalProperties\":{\"$dynamicRef\":\"#meta\"},\"properties\":{\""
    "type\":\"object\",\"additionalProperties\":{\"$dynamicRef\":\"#meta\"},\"default\":{}},\"patternPr"
    "operties\":{\"type\":\"object\",\"additionalProperties\":{\"$dynamicRef\":\"#meta\"},\"propertyNam"
    "es\":{\"format\":\"regex\"}},\"dependentSchemas\":{\"type\":\"object\",\"additionalProperties\":{"
    "\"$dynamicRef\":\"#meta\"}},\"propertyNames\":{\"$dynamicRef\":\"#meta\"},\"if\":{\"$dynamicRef\":"
    "\"#meta\"},\"then\":{\"$dynamicRef\":\"#meta\"},\"else\":{\"$dynamicRef\":\"#meta\"},\"allOf\":{\""
    "$ref\":\"#/$defs/schemaArray\"},\"anyOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"oneOf\":{\"$ref\":"
    "\"#/$defs/schemaArray\"},\"not\":{\"$dynamicRef\":\"#meta\"}},\"$defs\":{\"schemaArray\":{\"type\""
    ":\"array\",\"minItems\":1,\"items\":{\"$dynamicRef\":\"#meta\"}}}}";

static const char of_2020_unevaluated[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2020-12/meta/unevaluated\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/unev"
    "aluated\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boolean\"],\"properties\":{\"un"
    "evaluatedItems\":{\"$dynamicRef\":\"#meta\"},\"unevaluatedProperties\":{\"$dynamicRef\":\"#meta\"}"
    "}}";

static const char of_2020_validation[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2020-12/meta/validation\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/valid"
    "ation\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boolean\"],\"properties\":{\"type"
    "\":{\"anyOf\":[{\"$ref\":\"#/$defs/simpleTypes\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/$def"
    "s/simpleTypes\"},\"minItems\":1,\"uniqueItems\":true}]},\"const\":true,\"enum\":{\"type\":\"array"
    "\",\"items\":true},\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},\"maximum\":{\"type"
    "\":\"number\"},\"exclusiveMaximum\":{\"type\":\"number\"},\"minimum\":{\"type\":\"number\"},\"excl"
    "usiveMinimum\":{\"type\":\"number\"},\"maxLength\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},\"min"
    "Length\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault0\"},\"pattern\":{\"type\":\"string\",\"form"
    "at\":\"regex\"},\"maxItems\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},\"minItems\":{\"$ref\":\"#/"
    "$defs/nonNegativeIntegerDefault0\"},\"uniqueItems\":{\"type\":\"boolean\"},\"maxContains\":{\"$ref"
    "\":\"#/$defs/nonNegativeInteger\"},\"minContains\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},\"max"
    "Properties\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},\"minProperties\":{\"$ref\":\"#/$defs/nonNe"
    "gativeIntegerDefault0\"},\"required\":{\"$ref\":\"#/$defs/stringArray\"},\"dependentRequired\":{\""
    "type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/$defs/stringArray\"}}},\"$defs\":{\"nonNe"
    "gativeInteger\":{\"type\":\"integer\",\"minimum\":0},\"nonNegativeIntegerDefault0\":{\"$ref\":\"#/"
    "$defs/nonNegativeInteger\"},\"simpleTypes\":{\"enum\":[\"array\",\"boolean\",\"integer\",\"null\","
    "\"number\",\"object\",\"string\"]},\"stringArray\":{\"type\":\"array\",\"items\":{\"type\":\"strin"
    "g\"},\"uniqueItems\":true}}}";

static const char of_2020_meta_data[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2020-12/meta/meta-data\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/meta-d"
    "ata\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boolean\"],\"properties\":{\"title"
    "\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"default\":true,\"deprecated\":{\""
    "type\":\"boolean\"},\"readOnly\":{\"type\":\"boolean\"},\"writeOnly\":{\"type\":\"boolean\"},\"exa"
    "mples\":{\"type\":\"array\",\"items\":true}}}";

static const char of_2020_format_annotation[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2020-12/meta/format-annotation\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/voca"
    "b/format-annotation\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boolean\"],\"proper"
    "ties\":{\"format\":{\"type\":\"string\"}}}";

static const char of_2020_format_assertion[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2020-12/meta/format-assertion\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab"
    "/format-assertion\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boolean\"],\"properti"
    "es\":{\"format\":{\"type\":\"string\"}}}";

static const char of_2020_content[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2020-12/meta/content\",\"$vocabulary\":{\"https://json-schema.org/draft/2020-12/vocab/content"
    "\":true},\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boolean\"],\"properties\":{\"contentEn"
    "coding\":{\"type\":\"string\"},\"contentMediaType\":{\"type\":\"string\"},\"contentSchema\":{\"$dy"
    "namicRef\":\"#meta\"}}}";

static const char of_2019_schema[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2019-09/schema\",\"$vocabulary\":{\"https://json-schema.org/draft/2019-09/vocab/core\":true,\""
    "https://json-schema.org/draft/2019-09/vocab/applicator\":true,\"https://json-schema.org/draft/2019"
    "-09/vocab/validation\":true,\"https://json-schema.org/draft/2019-09/vocab/meta-data\":true,\"https"
    "://json-schema.org/draft/2019-09/vocab/format\":false,\"https://json-schema.org/draft/2019-09/voca"
    "b/content\":true},\"$recursiveAnchor\":true,\"allOf\":[{\"$ref\":\"meta/core\"},{\"$ref\":\"meta/a"
    "pplicator\"},{\"$ref\":\"meta/validation\"},{\"$ref\":\"meta/meta-data\"},{\"$ref\":\"meta/format"
    "\"},{\"$ref\":\"meta/content\"}],\"type\":[\"object\",\"boolean\"],\"properties\":{\"definitions\""
    ":{\"$comment\":\"While no longer an official keyword as it is replaced by $defs, this keyword is r"
    "etained in the meta-schema to prevent incompatible extensions as it remains in common use.\",\"typ"
    "e\":\"object\",\"additionalProperties\":{\"$recursiveRef\":\"#\"},\"default\":{}},\"dependencies\""
    ":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[{\"$recursiveRef\":\"#\"},{\"$ref\":\"m"
    "eta/validation#/$defs/stringArray\"}]}}}}";

static const char of_2019_core[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2019-09/meta/core\",\"$vocabulary\":{\"https://json-schema.org/draft/2019-09/vocab/core\":true"
    "},\"$recursiveAnchor\":true,\"type\":[\"object\",\"boolean\"],\"properties\":{\"$id\":{\"type\":\""
    "string\",\"format\":\"uri-reference\",\"pattern\":\"^[^#]*#?$\"},\"$schema\":{\"type\":\"string\","
    "\"format\":\"uri\"},\"$anchor\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z][-A-Za-z0-9.:_]*$\"},"
    "\"$ref\":{\"type\":\"string\",\"format\":\"uri-reference\"},\"$recursiveRef\":{\"type\":\"string\""
    ",\"format\":\"uri-reference\"},\"$recursiveAnchor\":{\"type\":\"boolean\"},\"$vocabulary\":{\"type"
    "\":\"object\",\"propertyNames\":{\"type\":\"string\",\"format\":\"uri\"},\"additionalProperties\":"
    "{\"type\":\"boolean\"}},\"$comment\":{\"type\":\"string\"},\"$defs\":{\"type\":\"object\",\"additi"
    "onalProperties\":{\"$recursiveRef\":\"#\"},\"default\":{}}}}";

static const char of_2019_applicator[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2019-09/meta/applicator\",\"$vocabulary\":{\"https://json-schema.org/draft/2019-09/vocab/appli"
    "cator\":true},\"$recursiveAnchor\":true,\"type\":[\"object\",\"boolean\"],\"properties\":{\"additi"
    "onalItems\":{\"$recursiveRef\":\"#\"},\"unevaluatedItems\":{\"$recursiveRef\":\"#\"},\"items\":{\""
    "anyOf\":[{\"$recursiveRef\":\"#\"},{\"$ref\":\"#/$defs/schemaArray\"}]},\"contains\":{\"$recursive"
    "Ref\":\"#\"},\"additionalProperties\":{\"$recursiveRef\":\"#\"},\"unevaluatedProperties\":{\"$recu"
    "rsiveRef\":\"#\"},\"properties\":{\"type\":\"object\",\"additionalProperties\":{\"$recursiveRef\":"
    "\"#\"},\"default\":{}},\"patternProperties\":{\"type\":\"object\",\"additionalProperties\":{\"$rec"
    "ursiveRef\":\"#\"},\"propertyNames\":{\"format\":\"regex\"}},\"dependentSchemas\":{\"type\":\"obje"
    "ct\",\"additionalProperties\":{\"$recursiveRef\":\"#\"}},\"propertyNames\":{\"$recursiveRef\":\"#"
    "\"},\"if\":{\"$recursiveRef\":\"#\"},\"then\":{\"$recursiveRef\":\"#\"},\"else\":{\"$recursiveRef"
    "\":\"#\"},\"allOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"anyOf\":{\"$ref\":\"#/$defs/schemaArray\""
    "},\"oneOf\":{\"$ref\":\"#/$defs/schemaArray\"},\"not\":{\"$recursiveRef\":\"#\"}},\"$defs\":{\"sch"
    "emaArray\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"$recursiveRef\":\"#\"}}}}";

static const char of_2019_validation[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2019-09/meta/validation\",\"$vocabulary\":{\"https://json-schema.org/draft/2019-09/vocab/valid"
    "ation\":true},\"$recursiveAnchor\":true,\"type\":[\"object\",\"boolean\"],\"properties\":{\"multip"
    "leOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},\"maximum\":{\"type\":\"number\"},\"exclusiveM"
    "aximum\":{\"type\":\"number\"},\"minimum\":{\"type\":\"number\"},\"exclusiveMinimum\":{\"type\":\""
    "number\"},\"maxLength\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},\"minLength\":{\"$ref\":\"#/$def"
    "s/nonNegativeIntegerDefault0\"},\"pattern\":{\"type\":\"string\",\"format\":\"regex\"},\"maxItems"
    "\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},\"minItems\":{\"$ref\":\"#/$defs/nonNegativeIntegerDe"
    "fault0\"},\"uniqueItems\":{\"type\":\"boolean\"},\"maxContains\":{\"$ref\":\"#/$defs/nonNegativeIn"
    "teger\"},\"minContains\":{\"$ref\":\"#/$defs/nonNegativeInteger\"},\"maxProperties\":{\"$ref\":\"#"
    "/$defs/nonNegativeInteger\"},\"minProperties\":{\"$ref\":\"#/$defs/nonNegativeIntegerDefault0\"},"
    "\"required\":{\"$ref\":\"#/$defs/stringArray\"},\"dependentRequired\":{\"type\":\"object\",\"addit"
    "ionalProperties\":{\"$ref\":\"#/$defs/stringArray\"}},\"const\":true,\"enum\":{\"type\":\"array\","
    "\"items\":true},\"type\":{\"anyOf\":[{\"$ref\":\"#/$defs/simpleTypes\"},{\"type\":\"array\",\"item"
    "s\":{\"$ref\":\"#/$defs/simpleTypes\"},\"minItems\":1,\"uniqueItems\":true}]}},\"$defs\":{\"nonNeg"
    "ativeInteger\":{\"type\":\"integer\",\"minimum\":0},\"nonNegativeIntegerDefault0\":{\"$ref\":\"#/$"
    "defs/nonNegativeInteger\"},\"simpleTypes\":{\"enum\":[\"array\",\"boolean\",\"integer\",\"null\","
    "\"number\",\"object\",\"string\"]},\"stringArray\":{\"type\":\"array\",\"items\":{\"type\":\"strin"
    "g\"},\"uniqueItems\":true}}}";

static const char of_2019_meta_data[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2019-09/meta/meta-data\",\"$vocabulary\":{\"https://json-schema.org/draft/2019-09/vocab/meta-d"
    "ata\":true},\"$recursiveAnchor\":true,\"type\":[\"object\",\"boolean\"],\"properties\":{\"title\":"
    "{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"default\":true,\"deprecated\":{\"typ"
    "e\":\"boolean\"},\"readOnly\":{\"type\":\"boolean\"},\"writeOnly\":{\"type\":\"boolean\"},\"exampl"
    "es\":{\"type\":\"array\",\"items\":true}}}";

static const char of_2019_format[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2019-09/meta/format\",\"$vocabulary\":{\"https://json-schema.org/draft/2019-09/vocab/format\":"
    "true},\"$recursiveAnchor\":true,\"type\":[\"object\",\"boolean\"],\"properties\":{\"format\":{\"ty"
    "pe\":\"string\"}}}";

static const char of_2019_content[] =
    "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://json-schema.org/dr"
    "aft/2019-09/meta/content\",\"$vocabulary\":{\"https://json-schema.org/draft/2019-09/vocab/content"
    "\":true},\"$recursiveAnchor\":true,\"type\":[\"object\",\"boolean\"],\"properties\":{\"contentMedi"
    "aType\":{\"type\":\"string\"},\"contentEncoding\":{\"type\":\"string\"},\"contentSchema\":{\"$recu"
    "rsiveRef\":\"#\"}}}";

static const char of_07_schema[] =
    "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$id\":\"http://json-schema.org/draft-07"
    "/schema#\",\"definitions\":{\"schemaArray\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"$ref\""
    ":\"#\"}},\"nonNegativeInteger\":{\"type\":\"integer\",\"minimum\":0},\"nonNegativeIntegerDefault0"
    "\":{\"allOf\":[{\"$ref\":\"#/definitions/nonNegativeInteger\"},{}]},\"simpleTypes\":{\"enum\":[\"a"
    "rray\",\"boolean\",\"integer\",\"null\",\"number\",\"object\",\"string\"]},\"stringArray\":{\"type"
    "\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true}},\"type\":[\"object\",\"boolean"
    "\"],\"properties\":{\"$id\":{\"type\":\"string\",\"format\":\"uri-reference\"},\"$schema\":{\"type"
    "\":\"string\",\"format\":\"uri\"},\"$ref\":{\"type\":\"string\",\"format\":\"uri-reference\"},\"$c"
    "omment\":{\"type\":\"string\"},\"title\":{\"type\":\"string\"},\"description\":{\"type\":\"string"
    "\"},\"default\":true,\"readOnly\":{\"type\":\"boolean\"},\"examples\":{\"type\":\"array\",\"items"
    "\":true},\"multipleOf\":{\"type\":\"number\",\"exclusiveMinimum\":0},\"maximum\":{\"type\":\"numbe"
    "r\"},\"exclusiveMaximum\":{\"type\":\"number\"},\"minimum\":{\"type\":\"number\"},\"exclusiveMinim"
    "um\":{\"type\":\"number\"},\"maxLength\":{\"$ref\":\"#/definitions/nonNegativeInteger\"},\"minLeng"
    "th\":{\"$ref\":\"#/definitions/nonNegativeIntegerDefault0\"},\"pattern\":{\"type\":\"string\",\"fo"
    "rmat\":\"regex\"},\"additionalItems\":{\"$ref\":\"#\"},\"items\":{\"anyOf\":[{\"$ref\":\"#\"},{\"$"
    "ref\":\"#/definitions/schemaArray\"}]},\"maxItems\":{\"$ref\":\"#/definitions/nonNegativeInteger\""
    "},\"minItems\":{\"$ref\":\"#/definitions/nonNegativeIntegerDefault0\"},\"uniqueItems\":{\"type\":"
    "\"boolean\"},\"contains\":{\"$ref\":\"#\"},\"maxProperties\":{\"$ref\":\"#/definitions/nonNegative"
    "Integer\"},\"minProperties\":{\"$ref\":\"#/definitions/nonNegativeIntegerDefault0\"},\"required\":"
    "{\"$ref\":\"#/definitions/stringArray\"},\"additionalProperties\":{\"$ref\":\"#\"},\"definitions\""
    ":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#\"},\"default\":{}},\"properties\":{\""
    "type\":\"object\",\"additionalProperties\":{\"$ref\":\"#\"},\"default\":{}},\"patternProperties\":"
    "{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#\"},\"propertyNames\":{\"format\":\"reg"
    "ex\"}},\"dependencies\":{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[{\"$ref\":\"#\"}"
    ",{\"$ref\":\"#/definitions/stringArray\"}]}},\"propertyNames\":{\"$ref\":\"#\"},\"const\":true,\"e"
    "num\":{\"type\":\"array\",\"items\":true},\"type\":{\"anyOf\":[{\"$ref\":\"#/definitions/simpleTyp"
    "es\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/definitions/simpleTypes\"},\"minItems\":1,\"uniq"
    "ueItems\":true}]},\"format\":{\"type\":\"string\"},\"contentMediaType\":{\"type\":\"string\"},\"co"
    "ntentEncoding\":{\"type\":\"string\"},\"if\":{\"$ref\":\"#\"},\"then\":{\"$ref\":\"#\"},\"else\":{"
    "\"$ref\":\"#\"},\"allOf\":{\"$ref\":\"#/definitions/schemaArray\"},\"anyOf\":{\"$ref\":\"#/definit"
    "ions/schemaArray\"},\"oneOf\":{\"$ref\":\"#/definitions/schemaArray\"},\"not\":{\"$ref\":\"#\"}}}";

typedef struct metaschema {
    const char *uri;
    const char *text;
} metaschema;

static const metaschema metaschemas[] = {
    {"https://json-schema.org/draft/2020-12/schema", of_2020_schema},
    {"https://json-schema.org/draft/2020-12/meta/core", of_2020_core},
    {"https://json-schema.org/draft/2020-12/meta/applicator", of_2020_applicator},
    {"https://json-schema.org/draft/2020-12/meta/unevaluated", of_2020_unevaluated},
    {"https://json-schema.org/draft/2020-12/meta/validation", of_2020_validation},
    {"https://json-schema.org/draft/2020-12/meta/meta-data", of_2020_meta_data},
    {"https://json-schema.org/draft/2020-12/meta/format-annotation", of_2020_format_annotation},
    {"https://json-schema.org/draft/2020-12/meta/format-assertion", of_2020_format_assertion},
    {"https://json-schema.org/draft/2020-12/meta/content", of_2020_content},
    {"https://json-schema.org/draft/2019-09/schema", of_2019_schema},
    {"https://json-schema.org/draft/2019-09/meta/core", of_2019_core},
    {"https://json-schema.org/draft/2019-09/meta/applicator", of_2019_applicator},
    {"https://json-schema.org/draft/2019-09/meta/validation", of_2019_validation},
    {"https://json-schema.org/draft/2019-09/meta/meta-data", of_2019_meta_data},
    {"https://json-schema.org/draft/2019-09/meta/format", of_2019_format},
    {"https://json-schema.org/draft/2019-09/meta/content", of_2019_content},
    {"http://json-schema.org/draft-07/schema", of_07_schema},
};

mcpw_json mcpw_find_metaschema(const char *uri, size_t len) {
    for (size_t i = 0; i < sizeof metaschemas / sizeof *metaschemas; i++) {
        if (strlen(metaschemas[i].uri) == len && memcmp(metaschemas[i].uri, uri, len) == 0) {
            return mcpw_json_from(metaschemas[i].text);
        }
    }
    const mcpw_json none = {NULL, 0, 0};
    return none;
}
