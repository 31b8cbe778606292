/* SPDX-License-Identifier: MIT */
/* Formats of texts. This is the one place that knows them: MCPW_STRICT and "format" of JSON Schema ask it. */
#ifndef MCPW_FORMATS_H
#define MCPW_FORMATS_H

#include <mcpw/base.h>

bool mcpw_is_ipv4(mcpw_str s);         /* RFC 2673, section 3.2 */
bool mcpw_is_ipv6(mcpw_str s);         /* RFC 4291, section 2.2 */
bool mcpw_is_hostname(mcpw_str s);     /* RFC 1123, section 2.1 */
bool mcpw_is_idn_hostname(mcpw_str s); /* as above, with letters of other scripts; what RFC 5892 says of
                                        * single characters is not checked */
bool mcpw_is_email(mcpw_str s);        /* RFC 5321, section 4.1.2 */
bool mcpw_is_idn_email(mcpw_str s);    /* RFC 6531 */
bool mcpw_is_uri(mcpw_str s);          /* RFC 3986 */
bool mcpw_is_uri_reference(mcpw_str s);
bool mcpw_is_iri(mcpw_str s); /* RFC 3987 */
bool mcpw_is_iri_reference(mcpw_str s);
bool mcpw_is_uri_template(mcpw_str s); /* RFC 6570, section 2 */

/* RFC 3339, section 5.6 (time_formats.c). */
bool mcpw_is_date(mcpw_str s);
bool mcpw_is_time(mcpw_str s);
bool mcpw_is_date_time(mcpw_str s);

#endif
