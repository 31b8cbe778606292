// SPDX-License-Identifier: MIT
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient, ServiceError,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig,
        ElicitRequestParams, ElicitResult, ElicitationAction, Implementation,
        ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, ResourceContents,
        SubscriptionFilter,
    },
    service::{NotificationContext, RequestContext, RunningService},
    transport::StreamableHttpClientTransport,
};
use serde_json::json;

const MODERN: &str = "2026-07-28";
const INVALID_PARAMS: i32 = -32602;

/// What the server has told on its own.
#[derive(Clone, Default)]
struct Heard {
    progress: Arc<Mutex<Vec<(f64, Option<f64>)>>>,
    tools_changed: Arc<AtomicBool>,
}

impl ClientHandler for Heard {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("peer-rust", "1.0.0"))
    }

    async fn create_elicitation(
        &self,
        _request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "name": "Ada" })))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.progress
            .lock()
            .unwrap()
            .push((params.progress, params.total));
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.tools_changed.store(true, Ordering::SeqCst);
    }
}

type Client = RunningService<RoleClient, Heard>;

async fn call(
    client: &Client,
    name: &'static str,
    arguments: serde_json::Value,
) -> Result<CallToolResult, ServiceError> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    client
        .call_tool(CallToolRequestParams::new(name).with_arguments(arguments))
        .await
}

async fn says(client: &Client, name: &'static str, arguments: serde_json::Value) -> String {
    let result = call(client, name, arguments).await.expect(name);
    assert_ne!(result.is_error, Some(true), "{name}");
    result.content[0].as_text().expect("a text").text.clone()
}

async fn connect(url: &str, revision: &str) -> Client {
    let lifecycle = if revision == MODERN {
        ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        }
    } else {
        ClientLifecycleMode::Initialize
    };
    let transport = StreamableHttpClientTransport::from_uri(url);
    let client = Heard::default()
        .serve_with_lifecycle(transport, lifecycle)
        .await
        .expect("to connect");
    let info = client.peer_info().expect("what the server is");
    assert_eq!(info.protocol_version.as_str(), revision);
    client
}

async fn hears_changes(client: &Client, modern: bool) {
    if modern {
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        let mut subscription = client.listen(filter).await.expect("to listen");
        says(client, "test_trigger_tool_change", json!({})).await;
        let heard = tokio::time::timeout(Duration::from_secs(3), subscription.next()).await;
        assert!(heard.expect("in time").expect("no error").is_some());
        subscription
            .cancel()
            .await
            .expect("to end the subscription");
        return;
    }
    says(client, "test_trigger_tool_change", json!({})).await;
    for _ in 0..300 {
        if client.service().tools_changed.load(Ordering::SeqCst) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("tools have changed, and nothing was told");
}

pub async fn run(url: &str, revision: &str) {
    let client = connect(url, revision).await;
    println!("ok connect: {revision}");

    let tools = client.list_all_tools().await.expect("tools");
    assert!(
        tools.iter().any(|tool| tool.name == "echo") && tools.len() > 20,
        "{}",
        tools.len()
    );
    println!("ok list tools");

    for message in ["Grüße, 世界 🌍 \"quoted\" \\ \n end", &"x".repeat(300_000)] {
        assert_eq!(
            says(&client, "echo", json!({ "message": message })).await,
            message
        );
    }
    println!("ok call: arguments come back as they were");

    says(&client, "test_tool_with_progress", json!({})).await;
    let told = client.service().progress.lock().unwrap().clone();
    assert_eq!(
        told,
        [
            (0.0, Some(100.0)),
            (50.0, Some(100.0)),
            (100.0, Some(100.0))
        ]
    );
    println!("ok progress");

    match call(&client, "no_such_tool", json!({})).await {
        Err(ServiceError::McpError(error)) => assert_eq!(error.code.0, INVALID_PARAMS),
        other => panic!("an unknown tool: {other:?}"),
    }
    println!("ok call: unknown tool");

    assert_eq!(
        says(&client, "test_input_required_result_elicitation", json!({})).await,
        "Hello, Ada!"
    );
    println!("ok elicitation");

    assert_eq!(
        says(&client, "test_reconnection", json!({})).await,
        "Reconnection test completed"
    );
    println!("ok come back for the answer of a stream that the server ends early");

    let read = client
        .read_resource(ReadResourceRequestParams::new("test://static-text"))
        .await
        .expect("to read");
    match &read.contents[0] {
        ResourceContents::TextResourceContents { text, .. } => {
            assert_eq!(text, "This is the content of the static text resource.");
        }
        other => panic!("no text: {other:?}"),
    }
    println!("ok read");

    hears_changes(&client, revision == MODERN).await;
    println!("ok lists that change");

    client.cancel().await.expect("to close");
    println!("ok close");
}
