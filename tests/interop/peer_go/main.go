// SPDX-License-Identifier: MIT

// The Go SDK over HTTP, as a client of everything_server, as a client that logs in, or as a server.
// Usage: peer_go client URL REVISION | login URL | server ERA
//
// ERA is legacy, in sessions, or modern, without.
package main

import (
	"fmt"
	"os"
)

func main() {
	switch {
	case len(os.Args) == 4 && os.Args[1] == "client":
		runClient(os.Args[2], os.Args[3])
	case len(os.Args) == 3 && os.Args[1] == "login":
		runLogin(os.Args[2])
	case len(os.Args) == 3 && os.Args[1] == "server":
		runServer(os.Args[2] == "modern")
	default:
		fail("usage: peer_go client URL REVISION | login URL | server ERA")
	}
}

func fail(format string, arguments ...any) {
	fmt.Printf("not ok "+format+"\n", arguments...)
	os.Exit(1)
}
