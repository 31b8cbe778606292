/* SPDX-License-Identifier: MIT */
#include "side.h"

typedef struct sample {
    const char *method;
    const char *params;
    const char *result;
} sample;

#define META                                                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"sampling\":{},\"roots\":{}},\"progressToken\":\"p\"}"
#define CACHED "\"resultType\":\"complete\",\"ttlMs\":1,\"cacheScope\":\"private\""

static const sample samples[] = {
    {"tools/call", "{" META ",\"name\":\"echo\",\"arguments\":{\"n\":%u}}",
     "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"r\"}]}"},
    {"tools/list", "{" META ",\"cursor\":\"1\"}", "{" CACHED ",\"tools\":[]}"},
    {"resources/list", "{" META "}", "{" CACHED ",\"resources\":[]}"},
    {"resources/templates/list", "{" META "}", "{" CACHED ",\"resourceTemplates\":[]}"},
    {"resources/read", "{" META ",\"uri\":\"x://y/%u\"}",
     "{" CACHED ",\"contents\":[{\"uri\":\"u\",\"blob\":\"\"}]}"},
    {"resources/subscribe", "{" META ",\"uri\":\"x://fixed\"}", "{}"},
    {"resources/unsubscribe", "{" META ",\"uri\":\"x://fixed\"}", "{}"},
    {"prompts/list", "{" META "}", "{" CACHED ",\"prompts\":[]}"},
    {"prompts/get", "{" META ",\"name\":\"greet\",\"arguments\":{\"who\":\"you\"}}",
     "{\"resultType\":\"complete\",\"messages\":[]}"},
    {"completion/complete",
     "{" META
     ",\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":\"who\",\"value\":\"y\"}}",
     "{\"resultType\":\"complete\",\"completion\":{\"values\":[\"a\"]}}"},
    {"logging/setLevel", "{\"level\":\"debug\"}", "{}"},
    {"server/discover", "{" META "}",
     "{" CACHED ",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}"},
    {"sampling/createMessage",
     "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"q\"}}],\"maxTokens\":9}",
     "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"a\"},\"model\":\"m\"}"},
    {"elicitation/create",
     "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}"
     "}}}",
     "{\"action\":\"accept\",\"content\":{\"a\":\"b\"}}"},
    {"roots/list", "{}", "{\"roots\":[{\"uri\":\"file:///r\"}]}"},
    {"notifications/message", "{\"level\":\"error\",\"data\":[1]}", NULL},
    {"notifications/progress", "{\"progressToken\":\"p\",\"progress\":%u}", NULL},
    {"notifications/cancelled", "{\"requestId\":%u}", NULL},
    {"notifications/resources/updated", "{\"uri\":\"x://fixed\"}", NULL},
    {"notifications/elicitation/complete", "{\"elicitationId\":\"e\"}", NULL},
    {"notifications/tasks/status",
     "{\"taskId\":\"t\",\"status\":\"working\",\"createdAt\":\"c\",\"lastUpdatedAt\":\"c\",\"ttl\":null}",
     NULL},
    {"subscriptions/listen", "{" META ",\"notifications\":{\"toolsListChanged\":true}}",
     "{\"resultType\":\"complete\"}"},
    {"tasks/get", "{\"taskId\":\"t\"}",
     "{\"taskId\":\"t\",\"status\":\"working\",\"createdAt\":\"c\",\"lastUpdatedAt\":\"c\",\"ttl\":null}"},
    {"tasks/cancel", "{\"taskId\":\"t\"}",
     "{\"taskId\":\"t\",\"status\":\"cancelled\",\"createdAt\":\"c\",\"lastUpdatedAt\":\"c\",\"ttl\":1}"},
    {"tasks/result", "{\"taskId\":\"t\"}", "{\"content\":[]}"},
    {"tasks/list", "{}", "{\"tasks\":[]}"},
};

static const sample *find(mcpw_str method) {
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        if (mcpw_str_is(method, samples[i].method)) {
            return samples + i;
        }
    }
    return NULL;
}

const char *side_params_text(mcpw_str method) {
    const sample *const found = find(method);
    return found != NULL ? found->params : "{" META "}";
}

#define RICH "{\"type\":\"audio\",\"data\":\"AAAA\",\"mimeType\":\"audio/wav\"}"

const char *side_rich_result_text(mcpw_str method) {
    if (mcpw_str_is(method, "tools/call")) {
        return "{\"resultType\":\"complete\",\"structuredContent\":{\"a\":[1]},\"content\":[" RICH
               ",{\"type\":\"resource_link\",\"uri\":\"x://"
               "l\",\"name\":\"l\",\"size\":3},{\"type\":\"resource\","
               "\"resource\":{\"uri\":\"u\",\"blob\":\"AA==\",\"mimeType\":\"a/b\"}}]}";
    }
    if (mcpw_str_is(method, "prompts/get")) {
        return "{\"resultType\":\"complete\",\"messages\":[{\"role\":\"user\",\"content\":" RICH "}]}";
    }
    if (mcpw_str_is(method, "sampling/createMessage")) {
        return "{\"role\":\"assistant\",\"content\":" RICH ",\"model\":\"m\",\"stopReason\":\"toolUse\"}";
    }
    return mcpw_str_is(method, "elicitation/create") ? "{\"action\":\"decline\"}" : side_result_text(method);
}

const char *side_result_text(mcpw_str method) {
    const sample *const found = find(method);
    return found != NULL && found->result != NULL ? found->result : "{\"resultType\":\"complete\"}";
}
