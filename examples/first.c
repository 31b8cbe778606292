#include <mcp/pinned.h>
#include <stdio.h>

int main(void) {
    const char text[] = "{\"type\":\"text\",\"text\":\"hello\",\"annotations\":{\"priority\":0.5}}";
    mcpw_arena arena = MCPW_ARENA_INIT; /* owns everything that is decoded */
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcp_text_content content;
    mcpw_error error;

    if (mcp_text_content_decode(text, sizeof text - 1, &arena, &content, NULL, &error) != MCPW_OK) {
        printf("%s: %s\n", error.path, error.message);
        return 1;
    }
    printf("%s, priority %g\n", content.text.ptr, content.annotations->priority.value);
    content.text = mcpw_str_from("goodbye");
    if (mcp_text_content_encode(&content, &out, NULL, &error) == MCPW_OK) {
        printf("%.*s\n", (int)out.len, out.data);
    }
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
    return 0;
}
