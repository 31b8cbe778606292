/* SPDX-License-Identifier: MIT */
#include <mcpw/json.h>
#include <mcpw/server.h>

#include "check.h"

#include "fake_request.h"

static const char oldest[] = "2024-11-05";
static const char newest[] = "2026-07-28";
static const char middle[] = "2025-11-25";

static size_t changes;

void mcpw_session_changed(mcpw_session *session, mcpw_change change, mcpw_str uri) {
    (void)session;
    (void)uri;
    changes += change == MCPW_CHANGE_RESOURCES;
}

/* Answers with the URI and the variables. */
static mcpw_status say_variables(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    char text[256];
    int len = snprintf(text, sizeof text, "%s %s", (const char *)user, read->uri.ptr);
    for (size_t i = 0; i < read->variable_count; i++) {
        const mcpw_uri_variable *const v = read->variables + i;
        len += snprintf(text + len, sizeof text - (size_t)len, " %s=%s", v->name.ptr, v->value.ptr);
        CHECK(mcpw_str_equal(mcpw_resource_variable(read, v->name.ptr), v->value));
    }
    CHECK(mcpw_resource_variable(read, "none").ptr == NULL);
    return mcpw_respond_resource_text(request, NULL, mcpw_str_from(text));
}

static mcpw_status answer_bytes(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_resource_bytes(request, "image/x", "\xff\x00\x01", 3);
}

static mcpw_status find_nothing(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_resource_not_found(request);
}

static mcpw_status remove_itself(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    CHECK(mcpw_server_remove_resource_template(user, "a:{x}") == MCPW_OK);
    CHECK_TEXT(read->variables[0].name.ptr, read->variables[0].name.len, "x");
    return mcpw_respond_resource_text(request, NULL, mcpw_resource_variable(read, "x"));
}

static void add_resource(mcpw_server *server, const char *uri, const char *mime_type,
                         mcpw_read_handler read) {
    static char mark[] = "resource";
    const mcpw_resource resource = {
        .uri = uri, .name = "r", .mime_type = mime_type, .read = read, .user = mark};
    CHECK(mcpw_server_add_resource(server, &resource, NULL) == MCPW_OK);
}

static void add_template(mcpw_server *server, const char *uri_template, char *user) {
    const mcpw_resource_template t = {.uri_template = uri_template,
                                      .name = "t",
                                      .mime_type = "text/t",
                                      .read = say_variables,
                                      .user = user};
    CHECK(mcpw_server_add_resource_template(server, &t, NULL) == MCPW_OK);
}

/* ---- Lists ---- */

static void resources_and_templates_are_listed_apart(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_resource resource = {.uri = "a:b",
                                    .name = "n",
                                    .title = "T",
                                    .description = "d",
                                    .mime_type = "m",
                                    .size = MCPW_INT(5),
                                    .more = MCPW_JSON("{\"annotations\":{\"priority\":1}}"),
                                    .read = say_variables};
    static char user[] = "t";
    CHECK(mcpw_server_add_resource(server, &resource, NULL) == MCPW_OK);
    add_template(server, "a:{x}", user);
    CHECK_RESULT(server, newest, "resources/list", NULL,
                 "{\"resources\":[{\"uri\":\"a:b\",\"name\":\"n\",\"title\":\"T\",\"description\":\"d\","
                 "\"mimeType\":\"m\",\"annotations\":{\"priority\":1},\"size\":5}]}");
    CHECK_RESULT(server, oldest, "resources/list", NULL,
                 "{\"resources\":[{\"uri\":\"a:b\",\"name\":\"n\",\"description\":\"d\","
                 "\"mimeType\":\"m\",\"annotations\":{\"priority\":1},\"size\":5}]}");
    CHECK_RESULT(server, middle, "resources/templates/list", NULL,
                 "{\"resourceTemplates\":[{\"name\":\"t\",\"uriTemplate\":\"a:{x}\","
                 "\"mimeType\":\"text/t\"}]}");
    mcpw_server_free(server);
}

static void nested_members_are_those_of_the_revision(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_resource resource = {
        .uri = "a:b",
        .name = "n",
        .more = MCPW_JSON("{\"annotations\":{\"priority\":1,\"lastModified\":\"2025-01-12T15:00:58Z\"}}"),
        .read = say_variables};
    CHECK(mcpw_server_add_resource(server, &resource, NULL) == MCPW_OK);
    CHECK_RESULT(server, oldest, "resources/list", NULL,
                 "{\"resources\":[{\"uri\":\"a:b\",\"name\":\"n\",\"annotations\":{\"priority\":1}}]}");
    mcpw_server_free(server);
}

static void resources_make_all_methods_of_resources_known(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    static char user[] = "t";
    add_template(server, "a:{x}", user);
    CHECK(mcpw_server_has(server, mcpw_str_from("resources/list")));
    CHECK(mcpw_server_has(server, mcpw_str_from("resources/read")));
    CHECK(mcpw_server_has(server, mcpw_str_from("resources/templates/list")));
    CHECK(mcpw_server_has(server, mcpw_str_from("resources/subscribe")));
    CHECK(mcpw_server_has(server, mcpw_str_from("resources/unsubscribe")));
    CHECK_RESULT(server, middle, "resources/list", NULL, "{\"resources\":[]}");
    mcpw_server_free(server);
}

static void check_refused(const mcpw_resource *resource, mcpw_status status, const char *path) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_error error;
    memset(&error, 0, sizeof error);
    CHECK(mcpw_server_add_resource(server, resource, &error) == status);
    CHECK_STRING(error.path, path);
    CHECK(error.code == status && error.message[0] != '\0');
    mcpw_server_free(server);
}

static void what_makes_no_resource_is_refused(void) {
    mcpw_resource resource = {.name = "n", .read = say_variables};
    check_refused(&resource, MCPW_E_ARGUMENT, "/uri");
    resource.uri = "no uri";
    check_refused(&resource, MCPW_E_FORMAT, "/uri");
    resource.uri = "a:b";
    resource.name = NULL;
    check_refused(&resource, MCPW_E_MISSING, "");
    resource.name = "n";
    resource.read = NULL;
    check_refused(&resource, MCPW_E_ARGUMENT, "");
}

static void what_makes_no_template_is_refused(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    mcpw_resource_template t = {.uri_template = "a:{x*}", .name = "t", .read = say_variables};
    mcpw_error error;
    CHECK(mcpw_server_add_resource_template(server, &t, &error) == MCPW_E_FORMAT);
    CHECK_STRING(error.path, "/uriTemplate");
    CHECK_STRING(error.message,
                 "URI template: only {name} and {+name} are supported, not the expression at byte 2");
    t.uri_template = NULL;
    CHECK(mcpw_server_add_resource_template(server, &t, &error) == MCPW_E_ARGUMENT);
    CHECK_STRING(error.path, "/uriTemplate");
    t.uri_template = "a:{x}";
    CHECK(mcpw_server_add_resource_template(server, &t, &error) == MCPW_OK);
    CHECK(mcpw_server_add_resource_template(server, &t, &error) == MCPW_E_DUPLICATE);
    mcpw_server_free(server);
}

/* ---- resources/read ---- */

static void a_resource_is_read_by_its_uri(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_resource(server, "a:b", "text/x", say_variables);
    add_resource(server, "a:c", NULL, say_variables);
    CHECK_RESULT(server, middle, "resources/read", "{\"uri\":\"a:b\"}",
                 "{\"contents\":[{\"uri\":\"a:b\",\"mimeType\":\"text/x\",\"text\":\"resource a:b\"}]}");
    CHECK_RESULT(server, newest, "resources/read", "{\"uri\":\"a:c\"}",
                 "{\"contents\":[{\"uri\":\"a:c\",\"text\":\"resource a:c\"}]}");
    mcpw_server_free(server);
}

static void bytes_are_sent_as_base64(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_resource(server, "a:b", "text/x", answer_bytes);
    CHECK_RESULT(server, middle, "resources/read", "{\"uri\":\"a:b\"}",
                 "{\"contents\":[{\"uri\":\"a:b\",\"mimeType\":\"image/x\",\"blob\":\"/wAB\"}]}");
    mcpw_server_free(server);
}

static void exact_uris_come_before_templates_in_their_order(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    static char first[] = "first";
    static char second[] = "second";
    add_template(server, "a:{x}/{y}", first);
    add_template(server, "a:{+all}", second);
    add_resource(server, "a:b/c", NULL, say_variables);
    CHECK_RESULT(server, middle, "resources/read", "{\"uri\":\"a:b/c\"}",
                 "{\"contents\":[{\"uri\":\"a:b/c\",\"text\":\"resource a:b/c\"}]}");
    CHECK_RESULT(server, middle, "resources/read", "{\"uri\":\"a:b/%64\"}",
                 "{\"contents\":[{\"uri\":\"a:b/%64\",\"mimeType\":\"text/t\","
                 "\"text\":\"first a:b/%64 x=b y=d\"}]}");
    CHECK_RESULT(server, middle, "resources/read", "{\"uri\":\"a:b\"}",
                 "{\"contents\":[{\"uri\":\"a:b\",\"mimeType\":\"text/t\",\"text\":\"second a:b all=b\"}]}");
    mcpw_server_free(server);
}

static void an_unknown_resource_has_the_code_of_the_revision(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_resource(server, "a:b", NULL, find_nothing);
    for (size_t i = 0; i < count && strcmp(mcpw_revision_name(revisions[i]), newest) < 0; i++) {
        CHECK_ERROR(server, mcpw_revision_name(revisions[i]), "resources/read", "{\"uri\":\"a:c\"}", -32002,
                    "Resource not found");
    }
    mcpw_request r = fake_ask(server, newest, "resources/read", "{\"uri\":\"a:b\"}");
    CHECK(r.code == -32602);
    CHECK_STRING(r.data, "{\"uri\":\"a:b\"}");
    fake_free(&r);
    mcpw_server_free(server);
}

static void a_template_may_remove_itself_while_it_is_read(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    const mcpw_resource_template t = {
        .uri_template = "a:{x}", .name = "t", .mime_type = "m", .read = remove_itself, .user = server};
    CHECK(mcpw_server_add_resource_template(server, &t, NULL) == MCPW_OK);
    CHECK_RESULT(server, middle, "resources/read", "{\"uri\":\"a:b\"}",
                 "{\"contents\":[{\"uri\":\"a:b\",\"mimeType\":\"m\",\"text\":\"b\"}]}");
    CHECK_ERROR(server, middle, "resources/read", "{\"uri\":\"a:b\"}", -32002, "Resource not found");
    mcpw_server_free(server);
}

static void changes_of_templates_are_changes_of_resources(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    void *const counter = &changes; /* in the place of a session, which is only handed back */
    mcpw_server_link link = {NULL, NULL, counter};
    static char user[] = "t";
    mcpw_server_attach(server, &link);
    changes = 0;
    add_template(server, "a:{x}", user);
    add_resource(server, "a:b", NULL, say_variables);
    CHECK(mcpw_server_remove_resource(server, "a:b") == MCPW_OK);
    CHECK(mcpw_server_remove_resource_template(server, "a:{x}") == MCPW_OK);
    CHECK(mcpw_server_remove_resource_template(server, "a:{x}") == MCPW_E_NOT_FOUND);
    CHECK(changes == 4);
    mcpw_server_free(server);
}

static mcpw_status answer_no_bytes(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_resource_bytes(request, NULL, NULL, 3);
}

static mcpw_status answer_empty(mcpw_request *request, const mcpw_resource_read *read, void *user) {
    (void)read;
    (void)user;
    return mcpw_respond_resource_bytes(request, NULL, NULL, 0);
}

static void bytes_that_are_not_there_are_not_sent(void) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    add_resource(server, "a:b", NULL, answer_no_bytes);
    add_resource(server, "a:c", NULL, answer_empty);
    CHECK_ERROR(server, middle, "resources/read", "{\"uri\":\"a:b\"}", MCPW_RPC_INTERNAL_ERROR,
                "bytes is NULL but its length is not 0");
    CHECK_RESULT(server, middle, "resources/read", "{\"uri\":\"a:c\"}",
                 "{\"contents\":[{\"uri\":\"a:c\",\"blob\":\"\"}]}");
    mcpw_server_free(server);
}

int main(void) {
    if (mcpw_find_revision(oldest) == NULL || mcpw_find_revision(newest) == NULL ||
        mcpw_find_revision(middle) == NULL || mcpw_find_revision("2025-03-26") == NULL ||
        mcpw_find_revision("2025-06-18") == NULL) {
        (void)printf("skipped: the library lacks a revision\n");
        return CHECK_SKIPPED;
    }
    RUN(resources_and_templates_are_listed_apart);
    RUN(nested_members_are_those_of_the_revision);
    RUN(resources_make_all_methods_of_resources_known);
    RUN(what_makes_no_resource_is_refused);
    RUN(what_makes_no_template_is_refused);
    RUN(a_resource_is_read_by_its_uri);
    RUN(bytes_are_sent_as_base64);
    RUN(exact_uris_come_before_templates_in_their_order);
    RUN(an_unknown_resource_has_the_code_of_the_revision);
    RUN(a_template_may_remove_itself_while_it_is_read);
    RUN(changes_of_templates_are_changes_of_resources);
    RUN(bytes_that_are_not_there_are_not_sent);
    return check_end();
}
