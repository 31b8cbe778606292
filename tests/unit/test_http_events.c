/* SPDX-License-Identifier: MIT */
/* Streams of events, as a client reads them, in every split. */
#include "check.h"
#include "counting_allocator.h"
#include <mcpw/detail/event_reader.h>

#include <mcpw/base.h>

enum { TEXT = 1024, LIMIT = 64 };

/* The output of a reader for a stream: each event in brackets, then the last id and the time to come back. */
static void read_in_pieces(const char *stream, size_t len, size_t piece, char *out) {
    mcpw_event_reader reader = MCPW_EVENT_READER_INIT;
    counting memory = {0};
    mcpw_str data;
    mcpw_status status = MCPW_PENDING;
    size_t used = 0;
    reader.line.allocator = reader.data.allocator = counting_allocator(&memory);
    reader.id.allocator = reader.new_id.allocator = reader.line.allocator;
    reader.limit = LIMIT;
    for (size_t at = 0; at < len && status == MCPW_PENDING; at += piece) {
        char copy[TEXT]; /* whose end a sanitizer knows */
        size_t rest = piece < len - at ? piece : len - at;
        const char *bytes = memcpy(copy, stream + at, rest);
        while ((status = mcpw_event_reader_next(&reader, &bytes, &rest, &data)) == MCPW_OK) {
            used += (size_t)snprintf(out + used, TEXT - used, "[%.*s]", (int)data.len, data.ptr);
        }
    }
    const mcpw_str id = mcpw_event_reader_id(&reader);
    (void)snprintf(out + used, TEXT - used, " id=%.*s retry=%d%s", (int)id.len, id.len != 0 ? id.ptr : "",
                   reader.has_retry ? (int)reader.retry_ms : -1, status == MCPW_E_SIZE ? " too long" : "");
    mcpw_event_reader_free(&reader);
    CHECK(memory.in_use == 0);
}

static void expect(const char *stream, size_t len, const char *want) {
    for (size_t piece = 1; piece <= len; piece++) {
        char out[TEXT];
        read_in_pieces(stream, len, piece, out);
        CHECK_STRING(out, want);
    }
}

#define EXPECT_EVENTS(stream, want) expect((stream), sizeof(stream) - 1, (want))

static void an_event_ends_with_an_empty_line(void) {
    EXPECT_EVENTS("data: {}\n\n", "[{}] id= retry=-1");
    EXPECT_EVENTS("data: {}\n", " id= retry=-1");
    EXPECT_EVENTS("data: a\n\ndata: b\n\n", "[a][b] id= retry=-1");
    EXPECT_EVENTS("\n\n\ndata: a\n\n", "[a] id= retry=-1");
}

static void lines_end_in_three_ways(void) {
    EXPECT_EVENTS("data: a\r\n\r\ndata: b\r\rdata: c\n\n", "[a][b][c] id= retry=-1");
    EXPECT_EVENTS("data: a\r\n\r\n\r\n\r\n", "[a] id= retry=-1");
    EXPECT_EVENTS("data: a\n\rdata: b\r\n\n", "[a][b] id= retry=-1");
}

static void lines_of_data_are_joined(void) {
    EXPECT_EVENTS("data: {\ndata: }\n\n", "[{\n}] id= retry=-1");
    EXPECT_EVENTS("data:a\ndata:  b\n\n", "[a\n b] id= retry=-1");
    EXPECT_EVENTS("data\ndata\n\n", "[\n] id= retry=-1");
    EXPECT_EVENTS("data:\n\n", "[] id= retry=-1");
}

static void comments_and_unknown_fields_do_not_count(void) {
    EXPECT_EVENTS(": keep-alive\n\n:\n\ndata: a\n\n", "[a] id= retry=-1");
    EXPECT_EVENTS("datax: a\nDATA: b\n\n", " id= retry=-1");
}

static void an_event_of_another_type_is_passed_over(void) {
    EXPECT_EVENTS("event: ping\ndata: a\n\nevent: message\ndata: b\n\nevent:\ndata: c\n\n",
                  "[b][c] id= retry=-1");
}

static void an_id_counts_once_its_event_is_complete(void) {
    EXPECT_EVENTS("id: 1\ndata: a\n\n", "[a] id=1 retry=-1");
    EXPECT_EVENTS("id: 1\n\nid: 2\n", " id=1 retry=-1");
    EXPECT_EVENTS("id: 1\ndata: a\n\ndata: b\n\n", "[a][b] id=1 retry=-1");
    EXPECT_EVENTS("id: 1\n\nid\n\n", " id= retry=-1");
    EXPECT_EVENTS("id: 1\n\nid: 2\0\n\n", " id=1 retry=-1");
}

static void a_time_to_come_back_is_digits(void) {
    EXPECT_EVENTS("retry: 500\n\n", " id= retry=500");
    EXPECT_EVENTS("retry: 5s\nretry: -1\nretry:\nretry: 1.5\n", " id= retry=-1");
    EXPECT_EVENTS("retry: 99999999999999999999999\n", " id= retry=-1"); /* the longest, 2^32 - 1 */
}

static void a_byte_order_mark_may_come_first(void) {
    EXPECT_EVENTS("\xEF\xBB\xBF"
                  "data: a\n\n",
                  "[a] id= retry=-1");
    EXPECT_EVENTS("data: a\n\n\xEF\xBB\xBF"
                  "data: b\n\n",
                  "[a] id= retry=-1");
}

static void an_event_has_a_limit(void) {
    EXPECT_EVENTS("data: 0123456789012345678901234567890123456789012345678901234\n\ndata: b\n\n",
                  "[0123456789012345678901234567890123456789012345678901234][b] id= retry=-1");
    EXPECT_EVENTS("data: 0123456789012345678901234567890123456789\n"
                  "data: 0123456789012345678901234567890123456789\n\n",
                  " id= retry=-1 too long");
    EXPECT_EVENTS("data: 01234567890123456789012345678901234567890123456789012345678901234567890\n\n",
                  " id= retry=-1 too long");
}

#define TEN "0123456789"
#define SIXTY_FOUR TEN TEN TEN TEN TEN TEN "0123"

static void a_limit_is_the_same_in_every_split(void) {
    EXPECT_EVENTS("data: " SIXTY_FOUR "\n\ndata: b\n\n", "[" SIXTY_FOUR "][b] id= retry=-1");
    EXPECT_EVENTS("data: " SIXTY_FOUR "4\n\n", " id= retry=-1 too long");
    EXPECT_EVENTS("data: " SIXTY_FOUR "\ndata:\n\n", " id= retry=-1 too long");
    EXPECT_EVENTS("id: " SIXTY_FOUR "\ndata\n\n", "[] id=" SIXTY_FOUR " retry=-1");
    EXPECT_EVENTS("id: " SIXTY_FOUR "4\ndata\n\n", " id= retry=-1 too long");
    EXPECT_EVENTS(": a comment" SIXTY_FOUR "\ndata\n\n", " id= retry=-1 too long");
}

static void an_id_has_4096_bytes_at_most(void) {
    enum { MOST = MCPW_EVENT_ID_MAX };
    static char stream[2 * MOST];
    static const char before[] = "id: 1\ndata\n\nid: ";
    static const char behind[] = "\ndata\n\n";
    for (size_t len = MOST - 1; len <= MOST + 1; len++) {
        mcpw_event_reader reader = MCPW_EVENT_READER_INIT;
        const char *bytes = stream;
        mcpw_str data;
        reader.limit = (size_t)1 << 20;
        memset(stream, 'x', sizeof stream);
        memcpy(stream, before, sizeof before - 1);
        memcpy(stream + sizeof before - 1 + len, behind, sizeof behind - 1);
        size_t left = sizeof before - 1 + len + sizeof behind - 1;
        CHECK(mcpw_event_reader_next(&reader, &bytes, &left, &data) == MCPW_OK);
        CHECK(mcpw_event_reader_id(&reader).len == 1);
        CHECK(mcpw_event_reader_next(&reader, &bytes, &left, &data) == MCPW_OK);
        CHECK(mcpw_event_reader_id(&reader).len == (len <= MOST ? len : 0));
        mcpw_event_reader_free(&reader);
    }
}

int main(void) {
    RUN(an_event_ends_with_an_empty_line);
    RUN(lines_end_in_three_ways);
    RUN(lines_of_data_are_joined);
    RUN(comments_and_unknown_fields_do_not_count);
    RUN(an_event_of_another_type_is_passed_over);
    RUN(an_id_counts_once_its_event_is_complete);
    RUN(a_time_to_come_back_is_digits);
    RUN(a_byte_order_mark_may_come_first);
    RUN(an_event_has_a_limit);
    RUN(a_limit_is_the_same_in_every_split);
    RUN(an_id_has_4096_bytes_at_most);
    return check_end();
}
