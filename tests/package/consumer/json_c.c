/* SPDX-License-Identifier: MIT */
/* Raw values as json-c objects. */
#include <mcpw/json_c.h>

#include <json-c/json.h>
#include <stdio.h>

int main(void) {
    struct json_object *object = NULL;
    mcpw_error error;
    if (mcpw_json_to_object(mcpw_json_from("{\"answer\":42}"), &object, &error) != MCPW_OK) {
        return 1;
    }
    printf("answer %d\n", json_object_get_int(json_object_object_get(object, "answer")));
    json_object_put(object);
    return 0;
}
