// SPDX-License-Identifier: MIT
//! A client of tasks as 2025-11-25 has them, over stdio.
use std::time::Duration;

use rmcp_2025::{
    ClientHandler, ErrorData, RoleClient, ServiceError, ServiceExt,
    model::{
        CallToolRequest, CallToolRequestParams, CallToolResult, CancelTaskParams,
        CancelTaskRequest, ClientCapabilities, ClientInfo, ClientRequest, ElicitRequestParams,
        ElicitResult, ElicitationAction, GetTaskParams, GetTaskPayloadParams,
        GetTaskPayloadRequest, GetTaskRequest, Implementation, ListTasksRequest,
        RelatedTaskMetadata, ServerResult, Task, TaskMetadata, TaskStatus, TaskSupport,
    },
    service::{RequestContext, RunningService},
    transport::TokioChildProcess,
};
use serde_json::{Value, json};

use crate::Target;

const INVALID_PARAMS: i32 = -32602;
const METHOD_NOT_FOUND: i32 = -32601;
const INTERNAL_ERROR: i32 = -32603;
const TTL_MS: u64 = 60_000;
const PAUSE: Duration = Duration::from_millis(50); // between two polls
const MOST_POLLS: usize = 400;

/// The user agrees to everything.
struct User;

impl ClientHandler for User {
    fn get_info(&self) -> ClientInfo {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientInfo::new(
            capabilities,
            Implementation::new("peer-rust-tasks", "1.0.0"),
        )
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        assert!(matches!(
            request,
            ElicitRequestParams::FormElicitationParams { .. }
        ));
        let task = &context.meta.0[RelatedTaskMetadata::META_KEY];
        assert!(task["taskId"].is_string());
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "confirm": true })))
    }
}

type Client = RunningService<RoleClient, User>;

async fn send(
    client: &Client,
    request: impl Into<ClientRequest>,
) -> Result<ServerResult, ServiceError> {
    client.send_request(request.into()).await
}

fn call_of(name: &str, arguments: Value, is_task: bool) -> CallToolRequest {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let params = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
    CallToolRequest::new(if is_task {
        params.with_task(TaskMetadata::new().with_ttl(TTL_MS))
    } else {
        params
    })
}

async fn task(client: &Client, name: &str, arguments: Value) -> Task {
    match send(client, call_of(name, arguments, true)).await {
        Ok(ServerResult::CreateTaskResult(created)) => created.task,
        other => panic!("{name} is no task: {other:?}"),
    }
}

async fn status(client: &Client, task: &Task) -> TaskStatus {
    let request = GetTaskRequest::new(GetTaskParams::new(&task.task_id));
    match send(client, request).await {
        Ok(ServerResult::GetTaskResult(found)) => found.task.status,
        other => panic!("tasks/get: {other:?}"),
    }
}

async fn result(client: &Client, task: &Task) -> Result<CallToolResult, ServiceError> {
    let request = GetTaskPayloadRequest::new(GetTaskPayloadParams::new(&task.task_id));
    match send(client, request).await? {
        ServerResult::CallToolResult(result) => {
            let meta = result.meta.clone().unwrap_or_default();
            let named = &meta.0[RelatedTaskMetadata::META_KEY]["taskId"];
            assert_eq!(named, &json!(task.task_id));
            Ok(result)
        }
        other => panic!("tasks/result: {other:?}"),
    }
}

async fn cancel(client: &Client, task: &Task) -> Result<TaskStatus, ServiceError> {
    let request = CancelTaskRequest::new(CancelTaskParams::new(&task.task_id));
    match send(client, request).await? {
        // Both results are a task, so the SDK takes the first of them.
        ServerResult::GetTaskResult(found) => Ok(found.task.status),
        ServerResult::CancelTaskResult(found) => Ok(found.task.status),
        other => panic!("tasks/cancel: {other:?}"),
    }
}

fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().expect("a text").text
}

fn code<T: std::fmt::Debug>(outcome: Result<T, ServiceError>) -> i32 {
    match outcome {
        Err(ServiceError::McpError(error)) => error.code.0,
        other => panic!("no error of the protocol: {other:?}"),
    }
}

async fn check_announcement(client: &Client) {
    let info = client.peer_info().expect("what the server is");
    assert_eq!(info.protocol_version.as_str(), "2025-11-25");
    let tasks = info.capabilities.tasks.clone().expect("tasks");
    assert!(tasks.supports_tools_call() && tasks.supports_cancel() && tasks.supports_list());
    let tools = client.list_all_tools().await.expect("tools");
    let support = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name).expect("a tool");
        tool.task_support()
    };
    assert_eq!(support("failing_job"), TaskSupport::Required);
    assert_eq!(support("slow_compute"), TaskSupport::Optional);
    assert_eq!(support("greet"), TaskSupport::Forbidden);
    println!("ok tasks are announced");
}

async fn check_ends(client: &Client) {
    match send(client, call_of("greet", json!({ "name": "Ada" }), false)).await {
        Ok(ServerResult::CallToolResult(done)) => assert_eq!(text(&done), "Hello, Ada!"),
        other => panic!("greet: {other:?}"),
    }
    println!("ok a plain call");

    let slow = task(client, "slow_compute", json!({ "seconds": 0.2 })).await;
    assert_eq!(
        (&slow.status, slow.ttl),
        (&TaskStatus::Working, Some(TTL_MS))
    );
    let done = result(client, &slow).await.expect("a result");
    assert_eq!(text(&done), "computed for 200 ms");
    assert_eq!(status(client, &slow).await, TaskStatus::Completed);
    assert_eq!(code(cancel(client, &slow).await), INVALID_PARAMS);
    println!("ok a result is waited for, and its task is not cancelled any more");

    let failing = task(client, "failing_job", json!({})).await;
    let failed = result(client, &failing).await.expect("a result");
    assert_eq!(failed.is_error, Some(true));
    assert_eq!(status(client, &failing).await, TaskStatus::Failed);
    println!("ok an error of the tool fails its task");

    let broken = task(client, "protocol_error_job", json!({})).await;
    assert_eq!(code(result(client, &broken).await), INTERNAL_ERROR);
    println!("ok an error of the protocol");
}

async fn check_questions(client: &Client) {
    let one = task(client, "confirm_delete", json!({ "filename": "a" })).await;
    for _ in 0..MOST_POLLS {
        if status(client, &one).await == TaskStatus::InputRequired {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    assert_eq!(status(client, &one).await, TaskStatus::InputRequired);
    let done = result(client, &one).await.expect("a result");
    assert_eq!(text(&done), "a is deleted");
    println!("ok a task asks and goes on");

    let two = task(client, "multi_input", json!({})).await;
    let done = result(client, &two).await.expect("a result");
    assert_eq!(text(&done), "2 of 2 were accepted");
    println!("ok two questions at once");
}

async fn check_refusals(client: &Client) {
    let slow = task(client, "slow_compute", json!({ "seconds": 60 })).await;
    assert_eq!(
        cancel(client, &slow).await.ok(),
        Some(TaskStatus::Cancelled)
    );
    println!("ok a task is cancelled");

    let unknown = GetTaskRequest::new(GetTaskParams::new("0123456789abcdef0123456789abcdef"));
    assert_eq!(code(send(client, unknown).await), INVALID_PARAMS);
    let plain = call_of("greet", json!({ "name": "x" }), true);
    assert_eq!(code(send(client, plain).await), METHOD_NOT_FOUND);
    let required = call_of("failing_job", json!({}), false);
    assert_eq!(code(send(client, required).await), METHOD_NOT_FOUND);
    println!("ok refusals");

    match send(client, ListTasksRequest::default()).await {
        Ok(ServerResult::ListTasksResult(listed)) => {
            assert!(listed.tasks.iter().any(|one| one.task_id == slow.task_id));
        }
        other => panic!("tasks/list: {other:?}"),
    }
    println!("ok the list");
}

pub async fn run(target: Target<'_>) {
    let Target::Command(program, arguments) = target else {
        panic!("this client is built for stdio alone");
    };
    let mut command = tokio::process::Command::new(program);
    command.args(arguments);
    let transport = TokioChildProcess::new(command).expect("to start the server");
    let client = User.serve(transport).await.expect("to connect");
    check_announcement(&client).await;
    check_ends(&client).await;
    check_questions(&client).await;
    check_refusals(&client).await;
    client.cancel().await.expect("to close");
}
