/* SPDX-License-Identifier: MIT */
/*
 * URIs as a tree of their pieces, so that no text is made of them: a URI is the number of its last piece, and
 * two are the same where their numbers are. A reference adds its own pieces below those of its base.
 * Resolving it therefore costs what the reference has, whatever the length of the base.
 *
 *     https://a.example/x/y?q     "https" <- "a.example" <- "" <- "x" <- "y" <- "q"
 */
#include "compiler.h"

typedef enum piece_kind {
    PIECE_NOTHING, /* the empty URI, which has the number 0 */
    PIECE_SCHEME,
    PIECE_AUTHORITY,
    PIECE_SEGMENT, /* of the path; that of a path which begins with a slash is empty */
    PIECE_QUERY
} piece_kind;

enum { KINDS = 8, BYTES_A_PIECE = 4, FEW_PIECES = 4096 };

/* The stored part of a piece. Its entry of the dictionary has its text, its kind and the piece before it. */
typedef struct stored {
    uint32_t entry;
    uint32_t scheme; /* the last piece up to the scheme, */
    uint32_t place;  /* up to the authority, */
    uint32_t root;   /* and up to where ".." ends */
} stored;

const size_t mcpw_piece_size = sizeof(stored);

typedef struct piece {
    mcpw_str text;
    piece_kind kind;
    uint32_t before; /* the piece before it */
    uint32_t scheme;
    uint32_t place;
    uint32_t root;
} piece;

static const mcpw_str empty = {"", 0};

static piece piece_at(const mcpw_compiler *c, uint32_t uri) {
    const stored *const s = mcpw_row_at(c, MCPW_TABLE_PIECES, uri);
    piece p = {empty, PIECE_NOTHING, 0, s->scheme, s->place, s->root};
    if (uri != 0) {
        const mcpw_schema_entry *const e = mcpw_row_at(c, MCPW_TABLE_ENTRIES, s->entry);
        p.text = e->text;
        p.kind = (piece_kind)(e->room / MCPW_ROOMS % KINDS);
        p.before = (uint32_t)(e->room / MCPW_ROOMS / KINDS);
    }
    return p;
}

static piece_kind kind_of(const mcpw_compiler *c, uint32_t uri) { return piece_at(c, uri).kind; }

static uint32_t place_of(const mcpw_compiler *c, uint32_t uri) { return piece_at(c, uri).place; }

void mcpw_open_locations(mcpw_compiler *c) {
    const stored nothing = {0, 0, 0, 0};
    (void)mcpw_add_row(c, MCPW_TABLE_PIECES, &nothing);
}

/* Pieces are larger than their text, so that there may be fewer of them than bytes. */
static bool are_too_many(mcpw_compiler *c, uint32_t pieces) {
    if (pieces <= FEW_PIECES + (c->options.max_bytes - c->bytes_left) / BYTES_A_PIECE) {
        return false;
    }
    if (!mcpw_failed(c)) {
        c->status = MCPW_E_ELEMENTS;
        mcpw_error_set(c->error, MCPW_E_ELEMENTS, 0, "the URIs of the schema have too many segments");
    }
    return true;
}

/* The piece after another one. */
static uint32_t below(mcpw_compiler *c, uint32_t before, piece_kind kind, mcpw_str text) {
    const uint32_t next = c->tables[MCPW_TABLE_PIECES].count;
    const uint32_t entry = c->tables[MCPW_TABLE_ENTRIES].count;
    const uint64_t room = ((uint64_t)before * KINDS + (unsigned)kind) * MCPW_ROOMS + MCPW_ROOM_PIECES;
    if (mcpw_failed(c) || are_too_many(c, next)) {
        return 0;
    }
    const mcpw_schema_entry *const known = mcpw_enter(c, room, text, next);
    if (known == NULL) {
        return 0;
    }
    const uint32_t number = known->value;
    if (number == next) {
        const piece b = piece_at(c, before);
        stored made = {entry, b.scheme, b.place, b.root};
        if (kind <= PIECE_AUTHORITY) {
            made.scheme = kind == PIECE_SCHEME ? next : b.scheme;
            made.place = next;
            made.root = next;
        } else if (kind == PIECE_SEGMENT && before == b.place && text.len == 0) {
            made.root = next;
        }
        (void)mcpw_add_row(c, MCPW_TABLE_PIECES, &made);
    }
    return number;
}

static uint32_t segment(mcpw_compiler *c, uint32_t before, mcpw_str text) {
    return below(c, before, PIECE_SEGMENT, text);
}

/* Puts a path after a folder, without its "." and ".." (section 5.2.4). */
static uint32_t add_path(mcpw_compiler *c, uint32_t folder, mcpw_str path) {
    uint32_t at = folder;
    bool more = true;
    if (path.ptr[0] == '/') {
        at = segment(c, place_of(c, folder), empty);
        path.ptr++;
        path.len--;
    }
    while (more && !mcpw_failed(c)) {
        const mcpw_str name = mcpw_uri_cut(&path, '/');
        const bool up = mcpw_str_is(name, "..");
        more = path.len != 0;
        if (up && at != piece_at(c, at).root) {
            at = piece_at(c, at).before;
        }
        if (!up && !mcpw_str_is(name, ".")) {
            const bool nothing = !more && name.len == 0 && at == place_of(c, at);
            at = nothing ? at : segment(c, at, name);
        } else if (!more && at != place_of(c, at)) {
            at = segment(c, at, empty); /* a folder ends in a slash */
        }
        path.ptr += more;
        path.len -= more;
    }
    return at;
}

/* The folder of a base, against which a path is seen that does not begin with a slash (section 5.2.3). */
static uint32_t folder_of(mcpw_compiler *c, uint32_t base) {
    piece b = piece_at(c, base);
    if (b.kind == PIECE_QUERY) {
        b = piece_at(c, b.before);
    }
    const uint32_t folder = b.kind == PIECE_SEGMENT ? b.before : b.place;
    return kind_of(c, folder) == PIECE_AUTHORITY ? segment(c, folder, empty) : folder;
}

static uint32_t add_parts(mcpw_compiler *c, uint32_t base, const mcpw_uri_parts *ref) {
    const bool named = ref->scheme.ptr != NULL;
    const bool placed = named || ref->authority.ptr != NULL;
    uint32_t at = placed ? piece_at(c, base).scheme : place_of(c, base);
    if (named) {
        at = below(c, 0, PIECE_SCHEME, ref->scheme);
    }
    if (ref->authority.ptr != NULL) {
        at = below(c, at, PIECE_AUTHORITY, ref->authority);
    }
    if (ref->path.len != 0) {
        const bool merged = !placed && ref->path.ptr[0] != '/';
        at = add_path(c, merged ? folder_of(c, base) : at, ref->path);
    } else if (!placed) {
        const piece b = piece_at(c, base);
        at = b.kind == PIECE_QUERY ? b.before : base;
    }
    return ref->query.ptr != NULL ? below(c, at, PIECE_QUERY, ref->query) : at;
}

bool mcpw_resolve_uri(mcpw_compiler *c, uint32_t base, mcpw_str reference, mcpw_schema_target *out) {
    mcpw_str fragment = reference;
    const mcpw_str whole = mcpw_uri_cut(&fragment, '#');
    char *const room = mcpw_arena_bump(&c->arena, fragment.len + 1);
    out->uri = base;
    out->fragment.ptr = room;
    out->fragment.len = 0;
    if (room == NULL) {
        c->status = mcpw_error_status(c->error, mcpw_arena_status(&c->arena));
        return true;
    }
    if (whole.len != 0) {
        const mcpw_uri_parts parts = mcpw_uri_take_apart(whole);
        out->uri = add_parts(c, base, &parts);
    }
    if (fragment.len != 0) {
        fragment.ptr++;
        fragment.len--;
    }
    return mcpw_uri_decode(fragment, room, &out->fragment.len);
}

/* ---- as text ---- */

/* The delimiter that belongs to a piece. */
static const char *mark_of(const mcpw_compiler *c, const piece *p) {
    switch (p->kind) {
    case PIECE_SCHEME:
        return ":";
    case PIECE_AUTHORITY:
        return "//";
    case PIECE_SEGMENT:
        return kind_of(c, p->before) == PIECE_SEGMENT ? "/" : "";
    case PIECE_QUERY:
        return "?";
    default:
        return "";
    }
}

static char *put_before(char *end, const char *text, size_t len) {
    end -= len;
    memcpy(end, text, len);
    return end;
}

mcpw_str mcpw_uri_text(mcpw_compiler *c, uint32_t uri) {
    size_t len = 0;
    for (uint32_t at = uri; at != 0; at = piece_at(c, at).before) {
        const piece p = piece_at(c, at);
        len += p.text.len + strlen(mark_of(c, &p));
    }
    char *const text = mcpw_spend_work(c, len) ? mcpw_arena_bump(&c->arena, len + 1) : NULL;
    if (text == NULL) {
        c->status = mcpw_failed(c) ? c->status : mcpw_error_status(c->error, mcpw_arena_status(&c->arena));
        return empty;
    }
    char *end = text + len;
    *end = '\0';
    for (uint32_t at = uri; at != 0; at = piece_at(c, at).before) {
        const piece p = piece_at(c, at);
        const char *const mark = mark_of(c, &p);
        const bool after = p.kind == PIECE_SCHEME;
        end = after ? put_before(end, mark, strlen(mark)) : end;
        end = put_before(end, p.text.ptr, p.text.len);
        end = after ? end : put_before(end, mark, strlen(mark));
    }
    const mcpw_str made = {text, len};
    return made;
}
