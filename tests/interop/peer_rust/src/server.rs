// SPDX-License-Identifier: MIT
use std::time::Duration;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities,
        ServerConfig, Tool,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::json;

const STEP: Duration = Duration::from_millis(100); // between notifications

#[derive(Clone)]
struct Peer;

fn tool(name: &'static str, schema: serde_json::Value) -> Tool {
    Tool::new(name, name, schema.as_object().cloned().unwrap_or_default())
}

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("peer-rust", "1.0.0"))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let message = json!({
            "type": "object", "properties": { "message": { "type": "string" } }, "required": ["message"]
        });
        let none = json!({ "type": "object" });
        Ok(ListToolsResult::with_all_items(vec![
            tool("echo", message),
            tool("test_tool_with_progress", none),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = match request.name.as_ref() {
            "echo" => {
                let arguments = request.arguments.unwrap_or_default();
                arguments
                    .get("message")
                    .and_then(|m| m.as_str())
                    .unwrap_or_default()
                    .to_owned()
            }
            "test_tool_with_progress" => {
                for progress in [0.0, 50.0, 100.0] {
                    if let Some(token) = context.meta.get_progress_token() {
                        let params =
                            ProgressNotificationParam::new(token, progress).with_total(100.0);
                        let _ = context.peer.notify_progress(params).await;
                    }
                    tokio::time::sleep(STEP).await;
                }
                "Done".to_owned()
            }
            name => {
                return Err(ErrorData::invalid_params(
                    format!("Unknown tool: {name}"),
                    None,
                ));
            }
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

/// Prints the port, and serves until it is killed.
pub async fn serve_over_http<S: ServerHandler>(
    make: impl Fn() -> Result<S, std::io::Error> + Send + Sync + 'static,
) {
    let service: StreamableHttpService<S, LocalSessionManager> = StreamableHttpService::new(
        make,
        Default::default(),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    println!("{}", listener.local_addr().expect("an address").port());
    let router = axum::Router::new().nest_service("/mcp", service);
    axum::serve(listener, router).await.expect("to serve");
}

pub async fn run() {
    serve_over_http(|| Ok(Peer)).await;
}
