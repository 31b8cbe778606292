/* SPDX-License-Identifier: MIT */
/*
 * A server whose tool has a page: a host shows the moon beside the answer. moon/page.html is the page, and
 * moon/host.html is a host for a browser. Usage: moon [--http PORT --allow-origin ORIGIN]
 */
#include <mcpw/apps.h>
#include <mcpw/json.h>
#include <mcpw/serve.h>

#include <page.html.h>

#include <math.h>
#include <stdio.h>

/* ---- The moon ---- */

enum { YEARS_OF_AN_ERA = 400, DAYS_OF_AN_ERA = 146097, EPOCH = 719468, DATE_SIZE = 11, PHASES = 8 };

static const double turn = 6.283185307179586;   /* a whole one, in radians */
static const double month = 29.530588853;       /* from new moon to new moon, in days */
static const double epoch_noon = 2440588.0;     /* 1970-01-01 at noon, as a Julian day */
static const double known_new_moon = 2451550.1; /* 2000-01-06, likewise */

typedef struct moon {
    double age; /* days since the new moon */
    int lit;    /* percent of the disc */
    const char *phase;
} moon;

/* Days since 1970-01-01 of a date such as 2026-07-28; false: it is none. */
static bool read_date(mcpw_str text, long *days) {
    char date[DATE_SIZE] = "";
    int year = 0;
    int month_of_year = 0;
    int day = 0;
    char rest = '\0';
    if (text.len != DATE_SIZE - 1) {
        return false;
    }
    memcpy(date, text.ptr, text.len);
    if (sscanf(date, "%4d-%2d-%2d%c", &year, &month_of_year, &day, &rest) != 3 || year < 1 ||
        month_of_year < 1 || month_of_year > 12 || day < 1 || day > 31) {
        return false;
    }
    const long y = month_of_year <= 2 ? year - 1L : year; /* years that begin in March end with leap days */
    const long of_era = y % YEARS_OF_AN_ERA;
    const long of_year =
        (153L * (month_of_year > 2 ? month_of_year - 3 : month_of_year + 9) + 2) / 5 + day - 1;
    *days = y / YEARS_OF_AN_ERA * DAYS_OF_AN_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH;
    return true;
}

static moon moon_on(long days) {
    static const char *const phases[PHASES] = {"New moon",       "Waxing crescent", "First quarter",
                                               "Waxing gibbous", "Full moon",       "Waning gibbous",
                                               "Last quarter",   "Waning crescent"};
    double age = fmod(epoch_noon + (double)days - known_new_moon, month);
    age = age < 0 ? age + month : age;
    const double part = age / month;
    return (moon){.age = age,
                  .lit = (int)lround((1 - cos(turn * part)) / 2 * 100),
                  .phase = phases[(int)(part * PHASES + 0.5) % PHASES]};
}

/* ---- The tools ---- */

/* Answers with a text for the model, and with the moon as data for the page. */
static mcpw_status answer(mcpw_request *request, mcpw_str date, const moon *m) {
    mcpw_json_writer w;
    mcpw_json result;
    mcpw_buffer out = mcpw_buffer_in(mcpw_request_arena(request));
    char text[128];
    /* A host with pages shows the date itself; the others have the text alone. */
    const int len = mcpw_request_takes_pages(request)
                        ? snprintf(text, sizeof text, "The page shows the moon: %s.", m->phase)
                        : snprintf(text, sizeof text, "%.*s: %s, %d %% lit, %.1f days old.", (int)date.len,
                                   date.ptr, m->phase, m->lit, m->age);
    mcpw_json_write_into(&w, &out);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "content");
    mcpw_json_write_array(&w);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "type");
    mcpw_json_write_string(&w, "text", strlen("text"));
    mcpw_json_write_key(&w, "text");
    mcpw_json_write_string(&w, text, (size_t)len);
    mcpw_json_write_close(&w);
    mcpw_json_write_close(&w);
    mcpw_json_write_key(&w, "structuredContent");
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "date");
    mcpw_json_write_string(&w, date.ptr, date.len);
    mcpw_json_write_key(&w, "phase");
    mcpw_json_write_string(&w, m->phase, strlen(m->phase));
    mcpw_json_write_key(&w, "age");
    mcpw_json_write_double(&w, round(m->age * 10) / 10);
    mcpw_json_write_key(&w, "lit");
    mcpw_json_write_int(&w, m->lit);
    mcpw_json_write_close(&w);
    mcpw_json_write_close(&w);
    const mcpw_status status = mcpw_json_write_end(&w, &result);
    return status == MCPW_OK ? mcpw_respond_json(request, result, NULL) : status;
}

static mcpw_status show_moon(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    mcpw_str date;
    long days = 0;
    (void)user;
    const mcpw_status status =
        mcpw_json_get_string(call->arguments, "date", mcpw_request_arena(request), &date);
    if (status != MCPW_OK) {
        return status;
    }
    if (!read_date(date, &days)) {
        return mcpw_respond_tool_error(request, "There is no such day.");
    }
    const moon m = moon_on(days);
    return answer(request, date, &m);
}

/* ---- The server ---- */

#define PAGE_URI "ui://moon/page"
#define A_DATE                                                                                               \
    MCPW_JSON("{\"type\":\"object\",\"properties\":{\"date\":{\"type\":\"string\",\"format\":\"date\"}},"    \
              "\"required\":[\"date\"]}")

static const mcpw_page_ui policy = {.prefers_border = MCPW_ON}; /* it needs no other origin */
static const mcpw_page page = {
    .uri = PAGE_URI, .name = "moon", .title = "The moon", .html = MCPW_STR(page_html), .ui = &policy};

static const mcpw_tool_ui with_page = {.resource_uri = PAGE_URI};
static const mcpw_tool_ui for_page = {.resource_uri = PAGE_URI, .visibility = MCPW_VISIBLE_TO_APP};
static const mcpw_tool tools[] = {
    {.name = "show_moon",
     .description = "Shows the moon on a day",
     .input_schema = A_DATE,
     .call = show_moon,
     .ui = &with_page},
    {.name = "moon_on",
     .description = "Tells the page about the moon on another day",
     .input_schema = A_DATE,
     .call = show_moon,
     .ui = &for_page},
};

int main(int argc, char **argv) {
    mcpw_error error;
    mcpw_server *const server = mcpw_server_new("moon", "1.0.0", &error);
    mcpw_status status = server != NULL ? mcpw_server_add_apps(server, &error) : error.code;
    if (status == MCPW_OK) {
        status = mcpw_server_add_page(server, &page, &error);
    }
    for (size_t i = 0; status == MCPW_OK && i < sizeof tools / sizeof *tools; i++) {
        status = mcpw_server_add_tool(server, tools + i, &error);
    }
    if (status == MCPW_OK) {
        status = mcpw_serve(server, argc, argv, NULL, &error);
    }
    if (status != MCPW_OK) {
        fprintf(stderr, "moon: %s\n", error.message);
    }
    mcpw_server_free(server);
    return status == MCPW_OK ? 0 : 1;
}
