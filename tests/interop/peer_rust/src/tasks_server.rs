// SPDX-License-Identifier: MIT
//! A server whose slow tools become tasks by the extension of 2026-07-28, where the client has declared it.
use std::time::Duration;

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ContentBlock,
        CreateTaskResult, GetTaskParams, GetTaskResult, Implementation, InputRequest,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
        UpdateTaskParams,
    },
    service::RequestContext,
    task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions},
};
use serde_json::json;

use crate::server::serve_over_http;

const WORK: Duration = Duration::from_millis(700);
const FOREVER: Duration = Duration::from_secs(600);
const POLL_INTERVAL_MS: u64 = 100;

#[derive(Clone, Default)]
struct Peer {
    tasks: TaskManager,
}

fn says(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text.to_owned())])
}

async fn ask(context: &TaskContext) -> Result<CallToolResult, TaskExit> {
    let question: InputRequest = serde_json::from_value(json!({
        "method": "elicitation/create",
        "params": { "message": "sure?", "requestedSchema": { "type": "object", "properties": {} } }
    }))
    .expect("a question");
    let answer = context.request_input("sure", question).await?;
    let action = answer["action"].as_str().unwrap_or("missing");
    Ok(says(&format!("the answer is {action}")))
}

async fn work(name: &str, context: TaskContext) -> Result<CallToolResult, TaskExit> {
    let pause = if name == "endless" { FOREVER } else { WORK };
    if name != "ask" {
        tokio::select! {
            () = context.cancelled() => return Err(TaskExit::Cancelled),
            () = tokio::time::sleep(pause) => {}
        }
    }
    match name {
        "ask" => ask(&context).await,
        "broken" => Ok(CallToolResult::error(vec![ContentBlock::text("it broke")])),
        "refused" => Err(TaskExit::Error(ErrorData::internal_error("no", None))),
        _ => Ok(says("slow work")),
    }
}

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tasks()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("peer-rust-tasks", "1.0.0"))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({ "type": "object" }).as_object().cloned();
        let tool = |name: &'static str| Tool::new(name, name, schema.clone().unwrap_or_default());
        let names = ["slow", "ask", "endless", "broken", "refused", "plain"];
        Ok(ListToolsResult::with_all_items(
            names.into_iter().map(tool).collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let declared = context
            .client_capabilities()
            .is_some_and(|c| c.supports_tasks());
        if request.name == "plain" || !declared {
            return Ok(says("plain work").into());
        }
        let name = request.name.to_string();
        let options = TaskOptions::new().with_poll_interval_ms(POLL_INTERVAL_MS);
        let task = self.tasks.spawn(options, move |context| {
            Box::pin(async move { work(&name, context).await })
        });
        Ok(CallToolResponse::Task(CreateTaskResult::new(task)))
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&request.task_id)?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks
            .update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }
}

pub async fn run() {
    let served = Peer::default()
        .serve(rmcp::transport::stdio())
        .await
        .expect("to serve");
    served.waiting().await.expect("to end");
}

/// Prints the port, and serves until it is killed.
pub async fn run_over_http() {
    let peer = Peer::default(); // tasks are the same ones for each connection
    serve_over_http(move || Ok(peer.clone())).await;
}
