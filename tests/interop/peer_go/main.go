// SPDX-License-Identifier: MIT

// The Go SDK over HTTP, as a client of everything_server or as a server.
// Usage: peer_go client URL REVISION | server
package main

import (
	"fmt"
	"os"
)

func main() {
	switch {
	case len(os.Args) == 4 && os.Args[1] == "client":
		runClient(os.Args[2], os.Args[3])
	case len(os.Args) == 2 && os.Args[1] == "server":
		runServer()
	default:
		fail("usage: peer_go client URL REVISION | server")
	}
}

func fail(format string, arguments ...any) {
	fmt.Printf("not ok "+format+"\n", arguments...)
	os.Exit(1)
}
