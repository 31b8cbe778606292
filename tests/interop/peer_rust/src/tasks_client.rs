// SPDX-License-Identifier: MIT
//! A client of tasks by the extension of 2026-07-28.
use std::{collections::BTreeMap, time::Duration};

use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient, ServiceError,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams,
        ClientCapabilities, ClientConfig, DetailedTask, ElicitRequestParams, ElicitResult,
        ElicitationAction, GetTaskParams, Implementation, ProtocolVersion, Task, TaskPayload,
        TaskStatus, UpdateTaskParams,
    },
    service::{RequestContext, RunningService},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::{Value, json};

use crate::Target;

const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
const MISSING_CAPABILITY: i32 = -32021;
const EXTENSION: &str = "io.modelcontextprotocol/tasks";
const PAUSE: Duration = Duration::from_millis(50); // between two polls
const MOST_POLLS: usize = 400;

/// The user agrees to everything.
struct User {
    has_tasks: bool,
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let asks = ClientCapabilities::builder().enable_elicitation();
        let capabilities = if self.has_tasks {
            asks.enable_tasks().build()
        } else {
            asks.build()
        };
        ClientConfig::new(
            capabilities,
            Implementation::new("peer-rust-tasks", "1.0.0"),
        )
    }

    async fn create_elicitation(
        &self,
        _request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "name": "Ada" })))
    }
}

type Client = RunningService<RoleClient, User>;

async fn connect(target: &Target<'_>, has_tasks: bool) -> Client {
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let user = User { has_tasks };
    let client = match target {
        Target::Url(url) => {
            let transport = StreamableHttpClientTransport::from_uri(*url);
            user.serve_with_lifecycle(transport, lifecycle).await
        }
        Target::Command(program, arguments) => {
            let mut command = tokio::process::Command::new(program);
            command.args(*arguments);
            let transport = TokioChildProcess::new(command).expect("to start the server");
            user.serve_with_lifecycle(transport, lifecycle).await
        }
    };
    client.expect("to connect")
}

async fn call(client: &Client, name: &str, arguments: Value) -> CallToolResponse {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let params = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
    client.call_tool_once(params).await.expect(name)
}

async fn task(client: &Client, name: &str, arguments: Value) -> Task {
    match call(client, name, arguments).await {
        CallToolResponse::Task(created) => created.task,
        other => panic!("{name} is no task: {other:?}"),
    }
}

async fn get(client: &Client, task: &Task) -> DetailedTask {
    let params = GetTaskParams::new(&task.task_id);
    client.get_task(params).await.expect("tasks/get").task
}

/// Polls until the server has ended its work, or asks something.
async fn follow(client: &Client, task: &Task) -> TaskPayload {
    for _ in 0..MOST_POLLS {
        let now = get(client, task).await;
        if now.status() != TaskStatus::Working {
            return now.payload;
        }
        tokio::time::sleep(PAUSE).await;
    }
    panic!("{} does not end", task.task_id);
}

fn result(payload: TaskPayload) -> CallToolResult {
    match payload {
        TaskPayload::Completed { result } => {
            serde_json::from_value(Value::Object(result)).expect("a result of a tool")
        }
        other => panic!("not completed: {other:?}"),
    }
}

fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().expect("a text").text
}

fn questions(payload: TaskPayload) -> Vec<String> {
    match payload {
        TaskPayload::InputRequired { input_requests } => input_requests.into_keys().collect(),
        other => panic!("nothing is asked: {other:?}"),
    }
}

async fn answer(client: &Client, task: &Task, keys: &[&str]) {
    let accepted = json!({ "action": "accept", "content": { "confirm": true } });
    let answers: BTreeMap<String, Value> = keys
        .iter()
        .map(|key| ((*key).to_owned(), accepted.clone()))
        .collect();
    let params = UpdateTaskParams::new(&task.task_id, answers);
    client.update_task(params).await.expect("tasks/update");
}

fn code<T: std::fmt::Debug>(outcome: Result<T, ServiceError>) -> (i32, Option<Value>) {
    match outcome {
        Err(ServiceError::McpError(error)) => (error.code.0, error.data),
        other => panic!("no error of the protocol: {other:?}"),
    }
}

async fn check_ends(client: &Client) {
    match call(client, "greet", json!({ "name": "Ada" })).await {
        CallToolResponse::Complete(result) => assert_eq!(text(&result), "Hello, Ada!"),
        other => panic!("greet: {other:?}"),
    }
    println!("ok a plain call");

    let slow = task(client, "slow_compute", json!({ "seconds": 0.2 })).await;
    assert!(slow.ttl_ms != Some(0) && slow.poll_interval_ms.is_some_and(|ms| ms > 0));
    let done = result(follow(client, &slow).await);
    assert_eq!(text(&done), "computed for 200 ms");
    println!("ok a task is followed to its result");

    let failing = task(client, "failing_job", json!({})).await;
    let failed = result(follow(client, &failing).await);
    assert_eq!(failed.is_error, Some(true));
    println!("ok an error of the tool is a result");

    let broken = task(client, "protocol_error_job", json!({})).await;
    match follow(client, &broken).await {
        TaskPayload::Failed { error } => assert_eq!(error["code"], INTERNAL_ERROR),
        other => panic!("not failed: {other:?}"),
    }
    println!("ok an error of the protocol fails the task");
}

async fn check_questions(client: &Client) {
    let one = task(client, "confirm_delete", json!({ "filename": "a" })).await;
    let keys = questions(follow(client, &one).await);
    answer(client, &one, &[keys[0].as_str()]).await;
    let done = result(follow(client, &one).await);
    assert_eq!(text(&done), "a is deleted");
    println!("ok a task asks and goes on");

    let two = task(client, "multi_input", json!({})).await;
    let mut keys = questions(follow(client, &two).await);
    for _ in 0..MOST_POLLS {
        if keys.len() == 2 {
            break;
        }
        tokio::time::sleep(PAUSE).await;
        keys = questions(follow(client, &two).await);
    }
    answer(client, &two, &[keys[0].as_str(), "no_such_key"]).await;
    assert_eq!(questions(get(client, &two).await.payload), keys[1..]);
    answer(client, &two, &[keys[1].as_str()]).await;
    let done = result(follow(client, &two).await);
    assert_eq!(text(&done), "2 of 2 were accepted");
    println!("ok two questions are answered one by one");
}

async fn check_cancelling(client: &Client) {
    let slow = task(client, "slow_compute", json!({ "seconds": 60 })).await;
    for _ in 0..2 {
        let params = CancelTaskParams::new(&slow.task_id);
        client.cancel_task(params).await.expect("tasks/cancel");
        assert_eq!(follow(client, &slow).await, TaskPayload::Cancelled);
    }
    println!("ok a task is cancelled, and may be once more");

    let unknown = GetTaskParams::new("0123456789abcdef0123456789abcdef");
    assert_eq!(code(client.get_task(unknown).await).0, INVALID_PARAMS);
    println!("ok an unknown task");
}

async fn check_without_extension(client: &Client) {
    match call(client, "slow_compute", json!({ "seconds": 0 })).await {
        CallToolResponse::Complete(result) => assert_eq!(text(&result), "computed for 0 ms"),
        other => panic!("slow_compute: {other:?}"),
    }
    let required = client
        .call_tool_once(CallToolRequestParams::new("failing_job"))
        .await;
    for (found, data) in [
        code(required),
        code(client.get_task(GetTaskParams::new("x")).await),
    ] {
        assert_eq!(found, MISSING_CAPABILITY);
        let data = data.expect("what is missing");
        assert!(data["requiredCapabilities"]["extensions"][EXTENSION].is_object());
    }
    println!("ok a client without the extension");
}

pub async fn run(target: Target<'_>) {
    let client = connect(&target, true).await;
    let info = client.peer_info().expect("what the server is");
    assert!(info.capabilities.supports_tasks());
    println!("ok the extension is announced");
    check_ends(&client).await;
    check_questions(&client).await;
    check_cancelling(&client).await;
    client.cancel().await.expect("to close");
    let plain = connect(&target, false).await;
    check_without_extension(&plain).await;
    plain.cancel().await.expect("to close");
}
