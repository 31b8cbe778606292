// SPDX-License-Identifier: MIT
//! A server of tasks as 2025-11-25 has them, over stdio. The SDK leaves the keeping of tasks to its user.
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use rmcp_2025::{
    ErrorData, Peer, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResult, CancelTaskParams, CancelTaskResult, ContentBlock,
        CreateTaskResult, ElicitRequestParams, ElicitationAction, ElicitationSchema, GetTaskParams,
        GetTaskPayloadParams, GetTaskPayloadResult, GetTaskResult, JsonObject, ListTasksResult,
        ListToolsResult, Meta, PaginatedRequestParams, RelatedTaskMetadata, ServerCapabilities,
        ServerInfo, Task, TaskStatus, TaskSupport, TasksCapability, Tool, ToolExecution,
    },
    service::RequestContext,
    task_manager::current_timestamp,
};
use serde_json::{Value, json};
use tokio::sync::watch;

const WORK: Duration = Duration::from_millis(700);
const FOREVER: Duration = Duration::from_secs(600);
const POLL_INTERVAL_MS: u64 = 100;
const DEFAULT_TTL_MS: u64 = 60_000;

/// A task, and its result once there is one.
#[derive(Clone)]
struct Entry {
    task: Task,
    result: watch::Sender<Option<CallToolResult>>,
}

#[derive(Clone, Default)]
struct Tasks {
    entries: Arc<Mutex<HashMap<String, Entry>>>,
}

impl Tasks {
    fn find(&self, id: &str) -> Result<Entry, ErrorData> {
        let entries = self.entries.lock().expect("the tasks");
        let found = entries.get(id).cloned();
        found.ok_or_else(|| ErrorData::invalid_params("no such task", None))
    }

    /// Sets a status, unless the task has ended.
    fn set(&self, id: &str, status: TaskStatus) -> Result<Task, ErrorData> {
        let mut entries = self.entries.lock().expect("the tasks");
        let Some(entry) = entries.get_mut(id) else {
            return Err(ErrorData::invalid_params("no such task", None));
        };
        let runs = matches!(
            entry.task.status,
            TaskStatus::Working | TaskStatus::InputRequired
        );
        if !runs {
            return Err(ErrorData::invalid_params("the task has ended", None));
        }
        entry.task.status = status;
        entry.task.last_updated_at = current_timestamp();
        Ok(entry.task.clone())
    }

    async fn end(&self, id: &str, result: CallToolResult) {
        let failed = result.is_error == Some(true);
        let status = if failed {
            TaskStatus::Failed
        } else {
            TaskStatus::Completed
        };
        if self.set(id, status).is_ok() {
            let entry = self.find(id).expect("the task that has just ended");
            entry.result.send_replace(Some(result));
        }
    }
}

#[derive(Clone, Default)]
struct Server {
    tasks: Tasks,
}

fn says(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text.to_owned())])
}

fn related(id: &str) -> Meta {
    let mut meta = JsonObject::new();
    let task = json!(RelatedTaskMetadata::new(id));
    meta.insert(RelatedTaskMetadata::META_KEY.to_owned(), task);
    Meta(meta)
}

async fn ask(tasks: &Tasks, id: &str, client: &Peer<RoleServer>) -> CallToolResult {
    tasks.set(id, TaskStatus::InputRequired).expect("to ask");
    let question = ElicitRequestParams::FormElicitationParams {
        meta: Some(related(id)),
        message: "sure?".to_owned(),
        requested_schema: ElicitationSchema::new(Default::default()),
    };
    let answer = client.create_elicitation(question).await;
    tasks.set(id, TaskStatus::Working).expect("to go on");
    match answer.map(|answer| answer.action) {
        Ok(ElicitationAction::Accept) => says("the answer is accept"),
        Ok(ElicitationAction::Decline) => says("the answer is decline"),
        other => says(&format!("the answer is {other:?}")),
    }
}

async fn work(name: &str, tasks: &Tasks, id: &str, client: &Peer<RoleServer>) -> CallToolResult {
    match name {
        "ask" => ask(tasks, id, client).await,
        "broken" => CallToolResult::error(vec![ContentBlock::text("it broke")]),
        "endless" => {
            tokio::time::sleep(FOREVER).await;
            says("never")
        }
        _ => {
            tokio::time::sleep(WORK).await;
            says("slow work")
        }
    }
}

fn tools() -> Vec<Tool> {
    let named = [
        ("slow", TaskSupport::Required),
        ("ask", TaskSupport::Required),
        ("endless", TaskSupport::Optional),
        ("broken", TaskSupport::Required),
        ("plain", TaskSupport::Forbidden),
    ];
    let schema = json!({ "type": "object" }).as_object().cloned();
    let tool = |(name, support)| {
        Tool::new(name, name, schema.clone().unwrap_or_default())
            .with_execution(ToolExecution::new().with_task_support(support))
    };
    named.into_iter().map(tool).collect()
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerInfo {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tasks_with(TasksCapability::server_default())
            .build();
        ServerInfo::new(capabilities)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools().into_iter().find(|tool| tool.name == name)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    async fn call_tool(
        &self,
        _request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        Ok(says("plain work"))
    }

    async fn enqueue_task(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CreateTaskResult, ErrorData> {
        let now = current_timestamp();
        let mut entries = self.tasks.entries.lock().expect("the tasks");
        let id = format!("task-{}", entries.len());
        let ttl = request.task.and_then(|task| task.ttl);
        let task = Task::new(id.clone(), TaskStatus::Working, now.clone(), now)
            .with_ttl(ttl.unwrap_or(DEFAULT_TTL_MS))
            .with_poll_interval(POLL_INTERVAL_MS);
        let entry = Entry {
            task: task.clone(),
            result: watch::channel(None).0,
        };
        entries.insert(id.clone(), entry);
        let tasks = self.tasks.clone();
        let name = request.name.to_string();
        tokio::spawn(async move {
            let result = work(&name, &tasks, &id, &context.peer).await;
            tasks.end(&id, result).await;
        });
        Ok(CreateTaskResult::new(task))
    }

    async fn list_tasks(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListTasksResult, ErrorData> {
        let entries = self.tasks.entries.lock().expect("the tasks");
        let tasks = entries.values().map(|entry| entry.task.clone());
        Ok(ListTasksResult::new(tasks.collect()))
    }

    async fn get_task_info(
        &self,
        request: GetTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.find(&request.task_id)?.task))
    }

    async fn get_task_result(
        &self,
        request: GetTaskPayloadParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetTaskPayloadResult, ErrorData> {
        let mut ended = self.tasks.find(&request.task_id)?.result.subscribe();
        let result = ended.wait_for(Option::is_some).await;
        let result = result.map_err(|_| ErrorData::internal_error("the task is gone", None))?;
        let mut result: Value = json!(result.clone());
        result["_meta"] = json!(related(&request.task_id));
        Ok(GetTaskPayloadResult::new(result))
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CancelTaskResult, ErrorData> {
        let task = self.tasks.set(&request.task_id, TaskStatus::Cancelled)?;
        Ok(CancelTaskResult::new(task))
    }
}

pub async fn run() {
    let served = Server::default()
        .serve(rmcp_2025::transport::stdio())
        .await
        .expect("to serve");
    served.waiting().await.expect("to end");
}
