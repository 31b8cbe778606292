/* SPDX-License-Identifier: MIT */
/*
 * The library from C++17: owners that free their objects, std::string_view in and out, ranges, results with a
 * value or an error, and lambdas as handlers. It is a thin layer. Every owner returns its C object by get(),
 * structs are those of the C headers, and functions without a wrapper are called as in C.
 *
 * Nothing here throws, and nothing is allocated for a call. If MCPW_CPP_EXCEPTIONS is defined before this
 * header, value() of a result throws mcpw::exception in place of an error, and an exception of a handler is
 * answered as its failure. Without it a handler must not throw.
 *
 * This header includes the other C++ headers, except <mcpw/http_protect.hpp> and those that need a library of
 * their own: <mcpw/serve.hpp>, <mcpw/http_serve.hpp>, <mcpw/http_connect.hpp>.
 *
 * Threads: as the C objects.
 */
#ifndef MCPW_MCPW_HPP
#define MCPW_MCPW_HPP

#include <mcpw/client.hpp>
#include <mcpw/request.hpp>
#include <mcpw/result.hpp>
#include <mcpw/server.hpp>
#include <mcpw/session.hpp>
#include <mcpw/values.hpp>

#endif
