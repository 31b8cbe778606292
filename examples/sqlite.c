/* SPDX-License-Identifier: MIT */
/*
 * A server for a SQLite database: read-only queries, each on a worker, so that a long one keeps nobody
 * waiting.
 *
 *     example_sqlite DATABASE [--http 8080 ...]
 *
 * The tool `query` answers with the rows as JSON. A query tells progress, ends when the client cancels it,
 * and has limits of rows, bytes and time. Tables are resources: sqlite://table/NAME. The tool `write` changes
 * rows when the user agrees, and tells the clients that watch the table. (Debian: libsqlite3-dev)
 */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/ask.h>
#include <mcpw/json.h>
#include <mcpw/serve.h>
#include <mcpw/thread.h>

#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

enum {
    WORKERS = 4,
    MOST_ROWS = 1000,
    MOST_BYTES = 1 << 20, /* of an answer */
    MOST_SECONDS = 30,
    STEPS_BETWEEN_LOOKS = 1000000, /* of SQLite's machine: some ms */
    TEXT_SIZE = 256
};

/* One query. It lives on the stack of its worker. */
typedef struct query {
    mcpw_request *request;
    sqlite3 *db;
    sqlite3_stmt *statement;
    time_t end;
    double looks; /* how often it was looked at: what progress tells */
    int64_t limit;
    bool writes;
    char changed[TEXT_SIZE]; /* the table of the last row that was changed; empty: none was */
    char why[TEXT_SIZE];     /* it failed; empty: it did not */
} query;

/* ---- What a query may do ---- */

/* SQLite asks this while it compiles: reading is allowed, and changing rows where that was agreed to. */
static int authorize(void *user, int action, const char *a, const char *b, const char *c, const char *d) {
    const query *const q = user;
    (void)a, (void)b, (void)c, (void)d;
    const bool reads = action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION ||
                       action == SQLITE_RECURSIVE;
    const bool changes = action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE;
    return reads || (changes && q->writes) ? SQLITE_OK : SQLITE_DENY;
}

/* SQLite tells this of each row that it changes. */
static void note_change(void *user, int action, const char *database, const char *table, sqlite3_int64 row) {
    query *const q = user;
    (void)action, (void)database, (void)row;
    (void)snprintf(q->changed, sizeof q->changed, "%s", table);
}

/* SQLite calls this every so often while a query runs: not 0 ends it. */
static int look(void *user) {
    query *const q = user;
    if (mcpw_request_is_cancelled(q->request) || time(NULL) > q->end) {
        return 1;
    }
    return mcpw_request_progress(q->request, ++q->looks, -1, "rows are being looked for") != MCPW_OK;
}

static bool fail(query *q) {
    (void)snprintf(q->why, sizeof q->why, "%s",
                   time(NULL) > q->end ? "the query took too long" : sqlite3_errmsg(q->db));
    return false;
}

/* Every query has a connection of its own: so does every worker. */
static bool begin(query *q, const char *path, mcpw_str sql) {
    const char *rest = NULL;
    const int way = q->writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    q->end = time(NULL) + MOST_SECONDS;
    if (sqlite3_open_v2(path, &q->db, way | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        return fail(q);
    }
    (void)sqlite3_set_authorizer(q->db, authorize, q);
    (void)sqlite3_update_hook(q->db, note_change, q);
    sqlite3_progress_handler(q->db, STEPS_BETWEEN_LOOKS, look, q);
    if (sqlite3_prepare_v2(q->db, sql.ptr, (int)sql.len, &q->statement, &rest) != SQLITE_OK) {
        return fail(q);
    }
    while (rest < sql.ptr + sql.len && (*rest == ' ' || *rest == '\n' || *rest == ';')) {
        rest++;
    }
    if (q->statement == NULL || rest != sql.ptr + sql.len) {
        (void)snprintf(q->why, sizeof q->why, "one statement is wanted");
        return false;
    }
    return true;
}

static void end(query *q) {
    (void)sqlite3_finalize(q->statement);
    (void)sqlite3_close(q->db);
}

/* ---- Rows as JSON ---- */

static void put_value(mcpw_json_writer *w, sqlite3_stmt *statement, int i) {
    switch (sqlite3_column_type(statement, i)) {
    case SQLITE_INTEGER:
        mcpw_json_write_int(w, sqlite3_column_int64(statement, i));
        break;
    case SQLITE_FLOAT:
        mcpw_json_write_double(w, sqlite3_column_double(statement, i));
        break;
    case SQLITE_TEXT:
        mcpw_json_write_string(w, (const char *)sqlite3_column_text(statement, i),
                               (size_t)sqlite3_column_bytes(statement, i));
        break;
    default: /* also a blob: there is no text for it */
        mcpw_json_write_null(w);
        break;
    }
}

/* {"rows":[{...}],"more":false}; absent when it failed, and why says why. */
static mcpw_json rows_of(query *q) {
    mcpw_json out = {0};
    mcpw_json_writer w;
    char *const room = mcpw_arena_alloc(mcpw_request_arena(q->request), MOST_BYTES);
    int step = sqlite3_step(q->statement);
    mcpw_json_write_begin(&w, room, room != NULL ? MOST_BYTES : 0);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "rows");
    mcpw_json_write_array(&w);
    for (int64_t row = 0; row < q->limit && step == SQLITE_ROW; row++) {
        mcpw_json_write_object(&w);
        for (int i = 0; i < sqlite3_column_count(q->statement); i++) {
            mcpw_json_write_key(&w, sqlite3_column_name(q->statement, i));
            put_value(&w, q->statement, i);
        }
        mcpw_json_write_close(&w);
        step = sqlite3_step(q->statement);
    }
    mcpw_json_write_close(&w);
    mcpw_json_write_key(&w, "more");
    mcpw_json_write_bool(&w, step == SQLITE_ROW);
    mcpw_json_write_close(&w);
    if (step != SQLITE_ROW && step != SQLITE_DONE) {
        (void)fail(q);
    } else if (mcpw_json_write_end(&w, &out) != MCPW_OK) {
        (void)snprintf(q->why, sizeof q->why, "the rows are longer than %d bytes: ask for fewer", MOST_BYTES);
    }
    return out;
}

/* ---- The tool ---- */

/* The faults of the arguments, by pointer, for the model to mend. */
static mcpw_status refuse(mcpw_request *request, const char *pointer, const char *why) {
    char text[TEXT_SIZE];
    (void)snprintf(text, sizeof text, "%s: %.200s", pointer, why);
    return mcpw_respond_tool_error(request, text);
}

/* On a worker. A query that was cancelled has nobody to answer: the status says so. */
static mcpw_status call_query(mcpw_request *request, const mcpw_tool_call *call, void *path) {
    query q = {.request = request, .limit = MOST_ROWS};
    mcpw_json rows = {0};
    mcpw_str sql;
    mcpw_status status = mcpw_json_get_string(call->arguments, "sql", mcpw_request_arena(request), &sql);
    if (status != MCPW_OK) {
        return status; /* no memory: the schema has seen to the rest */
    }
    status = mcpw_json_get_int(call->arguments, "limit", &q.limit);
    if (status != MCPW_OK && status != MCPW_E_NOT_FOUND) {
        return status;
    }
    if (begin(&q, path, sql)) {
        rows = rows_of(&q);
    }
    end(&q);
    return rows.ptr != NULL ? mcpw_respond_structured(request, rows) : refuse(request, "/sql", q.why);
}

/* ---- Changing rows ---- */

static const char table_uri[] = "sqlite://table/{name}";

/* On a worker: clients that watch the table hear of it. */
static void tell_changed(const query *q) {
    const mcpw_uri_variable name = {MCPW_STR("name"), mcpw_str_from(q->changed)};
    mcpw_str uri;
    if (q->changed[0] != '\0' &&
        mcpw_uri_template_expand(mcpw_request_arena(q->request), mcpw_str_from(table_uri), &name, 1, &uri,
                                 NULL) == MCPW_OK) {
        mcpw_request_resource_updated(q->request, uri.ptr);
    }
}

/* Whether the user agrees. The handler runs again, from its beginning, when the answer is there. */
static mcpw_status ask_user(mcpw_request *request, mcpw_str sql, bool *agrees) {
    static const mcpw_json empty = MCPW_JSON("{\"type\":\"object\",\"properties\":{}}");
    mcpw_ask_answer answer = MCPW_ASK_ANSWER_INIT;
    char message[TEXT_SIZE];
    (void)snprintf(message, sizeof message, "Run this? %.*s", sql.len < TEXT_SIZE ? (int)sql.len : TEXT_SIZE,
                   sql.ptr);
    const mcpw_status status = mcpw_ask_form(request, "sure", message, empty, &answer);
    *agrees = answer.action == MCPW_ASK_ACCEPT;
    return status;
}

/* On a worker. */
static mcpw_status call_write(mcpw_request *request, const mcpw_tool_call *call, void *path) {
    query q = {.request = request, .writes = true};
    char text[TEXT_SIZE];
    bool agrees = false;
    mcpw_str sql;
    mcpw_status status = mcpw_json_get_string(call->arguments, "sql", mcpw_request_arena(request), &sql);
    status = status == MCPW_OK ? ask_user(request, sql, &agrees) : status;
    if (status != MCPW_OK) {
        return status; /* MCPW_PENDING: the user is being asked */
    }
    if (!agrees) {
        return mcpw_respond_tool_error(request, "the user does not agree");
    }
    if (begin(&q, path, sql) && sqlite3_step(q.statement) != SQLITE_DONE) {
        (void)fail(&q);
    }
    (void)snprintf(text, sizeof text, "%d rows changed", q.db != NULL ? sqlite3_changes(q.db) : 0);
    end(&q);
    if (q.why[0] != '\0') {
        return refuse(request, "/sql", q.why);
    }
    tell_changed(&q);
    return mcpw_respond_text(request, mcpw_str_from(text));
}

/* ---- Tables as resources ---- */

/* On a worker. The name goes into SQL as a quoted identifier, whatever it holds. */
static mcpw_status read_table(mcpw_request *request, const mcpw_resource_read *read, void *path) {
    query q = {.request = request, .limit = MOST_ROWS};
    mcpw_json rows = {0};
    char *const sql = sqlite3_mprintf("SELECT * FROM \"%w\"", mcpw_resource_variable(read, "name").ptr);
    if (sql != NULL && begin(&q, path, mcpw_str_from(sql))) {
        rows = rows_of(&q);
    }
    end(&q);
    sqlite3_free(sql);
    return rows.ptr != NULL ? mcpw_respond_resource_text(request, NULL, (mcpw_str){rows.ptr, rows.len})
                            : mcpw_respond_resource_not_found(request);
}

/* On a worker: the names of tables that begin like this. */
static mcpw_status complete_table(mcpw_request *request, const mcpw_completion *completion, void *path) {
    static const mcpw_str sql =
        MCPW_STR("SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, length(?1)) = ?1");
    enum { MOST = 100 };
    mcpw_str names[MOST];
    size_t count = 0;
    query q = {.request = request};
    if (begin(&q, path, sql)) {
        (void)sqlite3_bind_text(q.statement, 1, completion->value.ptr, (int)completion->value.len,
                                SQLITE_STATIC);
        while (count < MOST && sqlite3_step(q.statement) == SQLITE_ROW) {
            const mcpw_str name = mcpw_str_from((const char *)sqlite3_column_text(q.statement, 0));
            char *const copy = mcpw_arena_alloc(mcpw_request_arena(request), name.len + 1);
            if (copy == NULL) {
                break;
            }
            memcpy(copy, name.ptr, name.len);
            names[count++] = (mcpw_str){copy, name.len};
        }
    }
    end(&q);
    return mcpw_respond_completion(request, names, count);
}

int main(int argc, char **argv) {
    const mcpw_tool tool = {
        .name = "query",
        .description = "Runs one SQL query, read-only, and gives its rows",
        .input_schema = MCPW_JSON(
            "{\"type\":\"object\",\"properties\":{\"sql\":{\"type\":\"string\"},"
            "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000}},\"required\":[\"sql\"]}"),
        .output_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"rows\":{\"type\":\"array\","
                                   "\"items\":{\"type\":\"object\"}},\"more\":{\"type\":\"boolean\"}}}"),
        .call = call_query,
        .user = argc >= 2 ? argv[1] : NULL,
    };
    const mcpw_tool write = {
        .name = "write",
        .description = "Changes rows by one SQL statement, when the user agrees",
        .input_schema = MCPW_JSON("{\"type\":\"object\",\"properties\":{\"sql\":{\"type\":\"string\"}},"
                                  "\"required\":[\"sql\"]}"),
        .call = call_write,
        .user = tool.user,
    };
    const mcpw_resource_template table = {.uri_template = table_uri,
                                          .name = "table",
                                          .mime_type = "application/json",
                                          .read = read_table,
                                          .complete = complete_table,
                                          .user = tool.user};
    mcpw_run_options options = MCPW_RUN_OPTIONS_INIT;
    mcpw_error error;
    if (argc < 2) {
        (void)fprintf(stderr, "usage: example_sqlite DATABASE [OPTION]...\n");
        return 2;
    }
    mcpw_server *const server = mcpw_server_new("sqlite", "1.0.0", &error);
    options.workers = WORKERS;
    mcpw_status status = server != NULL ? mcpw_server_add_tool(server, &tool, &error) : error.code;
    status = status == MCPW_OK ? mcpw_server_add_tool(server, &write, &error) : status;
    status = status == MCPW_OK ? mcpw_server_add_resource_template(server, &table, &error) : status;
    status = status == MCPW_OK ? mcpw_serve(server, argc - 1, argv + 1, &options, &error) : status;
    if (status != MCPW_OK) {
        (void)fprintf(stderr, "sqlite: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
