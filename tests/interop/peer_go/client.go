// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const patience = 3 * time.Second

// Messages that the server has sent on its own.
type heard struct {
	lock     sync.Mutex
	progress []float64
	changed  chan struct{}
}

func answer(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
}

func (h *heard) onProgress(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.progress = append(h.progress, request.Params.Progress, request.Params.Total)
}

func (h *heard) onToolsChanged(context.Context, *mcp.ToolListChangedRequest) {
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

func says(ctx context.Context, session *mcp.ClientSession, params *mcp.CallToolParams) string {
	result, err := session.CallTool(ctx, params)
	if err != nil || result.IsError {
		fail("call: %s: %v %v", params.Name, err, result)
	}
	return result.Content[0].(*mcp.TextContent).Text
}

func checkCalls(ctx context.Context, session *mcp.ClientSession, h *heard) {
	for _, message := range []string{"Grüße, 世界 🌍 \"quoted\" \\ \n end", strings.Repeat("x", 300000)} {
		params := &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"message": message}}
		if said := says(ctx, session, params); said != message {
			fail("call: %.300q", said)
		}
	}
	fmt.Println("ok call: arguments come back as they were")

	params := &mcp.CallToolParams{Name: "test_tool_with_progress", Meta: mcp.Meta{}}
	params.SetProgressToken("token")
	says(ctx, session, params)
	h.lock.Lock()
	if !slices.Equal(h.progress, []float64{0, 100, 50, 100, 100, 100}) {
		fail("progress: %v", h.progress)
	}
	h.lock.Unlock()
	fmt.Println("ok progress")

	_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "no_such_tool"})
	var told *jsonrpc.Error
	if !errors.As(err, &told) || told.Code != jsonrpc.CodeInvalidParams {
		fail("call: unknown tool: %v", err)
	}
	fmt.Println("ok call: unknown tool")

	said := says(ctx, session, &mcp.CallToolParams{Name: "test_input_required_result_elicitation"})
	if said != "Hello, Ada!" {
		fail("elicitation: %s", said)
	}
	fmt.Println("ok elicitation")

	said = says(ctx, session, &mcp.CallToolParams{Name: "test_reconnection"})
	if said != "Reconnection test completed" {
		fail("come back: %s", said)
	}
	fmt.Println("ok come back for the answer of a stream that the server ends early")
}

func checkLists(ctx context.Context, session *mcp.ClientSession) {
	names := []string{}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			fail("list tools: %v", err)
		}
		names = append(names, tool.Name)
	}
	if !slices.Contains(names, "echo") || len(names) <= 20 {
		fail("list tools: %v", names)
	}
	fmt.Println("ok list tools")

	read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "test://static-text"})
	if err != nil || read.Contents[0].Text != "This is the content of the static text resource." {
		fail("read: %v %v", err, read)
	}
	fmt.Println("ok read")
}

func runClient(url, revision string) {
	ctx := context.Background()
	h := &heard{changed: make(chan struct{}, 1)}
	client := mcp.NewClient(&mcp.Implementation{Name: "peer-go", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler:          answer,
		ProgressNotificationHandler: h.onProgress,
		ToolListChangedHandler:      h.onToolsChanged,
	})
	transport := &mcp.StreamableClientTransport{Endpoint: url}
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		fail("connect: %v", err)
	}
	if found := session.InitializeResult().ProtocolVersion; found != revision {
		fail("connect: %s, not %s", found, revision)
	}
	fmt.Println("ok connect:", revision)

	checkLists(ctx, session)
	checkCalls(ctx, session, h)

	says(ctx, session, &mcp.CallToolParams{Name: "test_trigger_tool_change"})
	select {
	case <-h.changed:
		fmt.Println("ok lists that change")
	case <-time.After(patience):
		fail("lists that change: nothing was told")
	}
	if err := session.Close(); err != nil {
		fail("close: %v", err)
	}
	fmt.Println("ok close")
}
