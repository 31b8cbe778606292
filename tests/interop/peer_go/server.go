// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const step = 100 * time.Millisecond // between notifications

type message struct {
	Message string `json:"message"`
}

type nothing struct{}

func text(said string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}
}

func echo(_ context.Context, _ *mcp.CallToolRequest, in message) (*mcp.CallToolResult, any, error) {
	return text(in.Message), nil, nil
}

func progress(ctx context.Context, request *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	for _, done := range []float64{0, 50, 100} {
		if token := request.Params.GetProgressToken(); token != nil {
			params := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100}
			if err := request.Session.NotifyProgress(ctx, params); err != nil {
				return nil, nil, err
			}
		}
		time.Sleep(step)
	}
	return text("Done"), nil, nil
}

// Prints the port, and serves until it is killed. The SDK speaks 2026-07-28 without sessions only.
func runServer(isModern bool) {
	server := mcp.NewServer(&mcp.Implementation{Name: "peer-go", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, echo)
	mcp.AddTool(server, &mcp.Tool{Name: "test_tool_with_progress"}, progress)
	options := &mcp.StreamableHTTPOptions{Stateless: isModern}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail("server: %v", err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	fail("server: %v", http.Serve(listener, mux))
}
