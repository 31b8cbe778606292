/* SPDX-License-Identifier: MIT */
/* Formats of host names, addresses and URIs. */
#ifndef MCPW_FORMATS_NET_H
#define MCPW_FORMATS_NET_H

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

#endif
