// SPDX-License-Identifier: MIT

package main

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const redirect = "http://127.0.0.1:33418/callback"

// A line for each thing that it does, as oauth_peer.mjs describes them.
func tell(word string, text any) {
	fmt.Println(word, strings.Join(strings.Fields(fmt.Sprint(text)), " "))
}

// The page that the user opens, and the redirect: the next line of the input.
func authorize(lines *bufio.Scanner) auth.AuthorizationCodeFetcher {
	return func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
		tell("open", args.URL)
		lines.Scan()
		found, err := url.Parse(lines.Text())
		if err != nil {
			return nil, err
		}
		query := found.Query()
		if query.Get("code") == "" {
			return nil, fmt.Errorf("the login was refused: %s", query.Get("error"))
		}
		return &auth.AuthorizationResult{Code: query.Get("code"), State: query.Get("state"), Iss: query.Get("iss")}, nil
	}
}

func logIn(ctx context.Context, target string, lines *bufio.Scanner) (*mcp.ClientSession, error) {
	handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				RedirectURIs:            []string{redirect},
				ClientName:              "go",
				GrantTypes:              []string{"authorization_code", "refresh_token"},
				TokenEndpointAuthMethod: "none",
			},
		},
		AuthorizationCodeFetcher: authorize(lines),
	})
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "oauth-go", Version: "1.0.0"}, nil)
	return client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: target, OAuthHandler: handler}, nil)
}

func runLogin(target string) {
	ctx := context.Background()
	lines := bufio.NewScanner(os.Stdin)
	session, err := logIn(ctx, target, lines)
	if err != nil {
		tell("failed", err)
		return
	}
	tell("said", "connected")
	for lines.Scan() {
		name := strings.TrimPrefix(lines.Text(), "call ")
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: map[string]any{}})
		if err != nil {
			tell("failed", err)
			continue
		}
		tell("said", result.Content[0].(*mcp.TextContent).Text)
	}
}
