// SPDX-License-Identifier: MIT
//! Skills at both ends.
use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};
use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient, RoleServer,
    ServerHandler, ServiceExt,
    handler::server::skill_catalog::SkillCatalog,
    model::{
        ClientCapabilities, ClientConfig, ExtensionCapabilities, GetSkillRequestParams,
        GetSkillResult, Implementation, JsonObject, ListResourcesResult, ListSkillsResult,
        PaginatedRequestParams, ProtocolVersion, ReadResourceDirectoryRequestParams,
        ReadResourceDirectoryResult, ReadResourceRequestParams, ReadResourceResponse,
        ResourceContents, SKILLS_EXTENSION_ID, ServerCapabilities, ServerConfig, Skill,
        SkillResources,
    },
    service::{RequestContext, RunningService},
    transport::TokioChildProcess,
};
use serde_json::{Map, Value, json};

use crate::Target;

#[derive(Clone)]
struct Peer {
    skills: Arc<SkillCatalog>,
}

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_resources()
            .enable_skills_with_directory_read()
            .build();
        ServerConfig::new(capabilities)
    }

    async fn list_skills(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        Ok(self.skills.list_skills())
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.skills.get_skill(&request.uri)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        self.skills.read_resource_directory(&request.uri)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(self.skills.resources()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match self.skills.read_resource(&request.uri) {
            Some(read) => Ok(read.into()),
            None => Err(ErrorData::resource_not_found(request.uri, None)),
        }
    }
}

/// Serves the skills of a folder over stdio.
pub async fn run_server(folder: &str) {
    let skills = Arc::new(SkillCatalog::from_dir(folder).expect("skills"));
    let served = Peer { skills }
        .serve(rmcp::transport::stdio())
        .await
        .expect("to serve");
    served.waiting().await.expect("to end");
}

#[derive(Default)]
struct Host;

impl ClientHandler for Host {
    /// The SDK has a word for the extension in the capabilities of servers alone.
    fn get_info(&self) -> ClientConfig {
        let mut extensions = ExtensionCapabilities::new();
        extensions.insert(SKILLS_EXTENSION_ID.to_owned(), JsonObject::new());
        let capabilities = ClientCapabilities::builder()
            .enable_extensions_with(extensions)
            .build();
        ClientConfig::new(
            capabilities,
            Implementation::new("peer-rust-skills", "1.0.0"),
        )
    }
}

type Client = RunningService<RoleClient, Host>;

async fn bytes_of(client: &Client, uri: &str) -> Vec<u8> {
    let params = ReadResourceRequestParams::new(uri);
    let read = client.read_resource(params).await.expect(uri);
    match &read.contents[0] {
        ResourceContents::TextResourceContents { text, .. } => text.clone().into_bytes(),
        ResourceContents::BlobResourceContents { blob, .. } => {
            BASE64_STANDARD.decode(blob).expect("base64")
        }
        other => panic!("no contents: {other:?}"),
    }
}

/// The names in each directory of a skill.
async fn directories_of(client: &Client, root: &str) -> Map<String, Value> {
    let mut found = Map::new();
    let mut open = vec![root.to_owned()];
    while let Some(uri) = open.pop() {
        let params = ReadResourceDirectoryRequestParams::new(&uri);
        let read = client.read_resource_directory(params).await.expect(&uri);
        let names = read.resources.iter().map(|child| json!(child.name));
        found.insert(uri, names.collect());
        let below = read.resources.iter().filter(|child| child.is_directory());
        open.extend(below.map(|child| child.uri.clone()));
    }
    found
}

async fn describe(client: &Client, uri: &str) -> Value {
    let params = GetSkillRequestParams::new(uri);
    let skill: Skill = client.get_skill(params).await.expect(uri).skill;
    let mut files = Map::new();
    let mut directories = Map::new();
    if let SkillResources::Files(listed) = &skill.resources {
        for file in listed {
            let bytes = bytes_of(client, &file.uri).await;
            file.verify(&bytes).expect(&file.uri);
            files.insert(file.uri.clone(), json!(BASE64_STANDARD.encode(&bytes)));
        }
        directories = directories_of(client, uri.trim_end_matches("/SKILL.md")).await;
    }
    json!({
        "uri": skill.uri,
        "frontmatter": skill.frontmatter,
        "verified": matches!(skill.resources, SkillResources::Files(_)),
        "files": files,
        "directories": directories,
    })
}

/// Reads every file of every skill that the server lists, each verified, and every directory. Prints JSON.
pub async fn run_client(target: Target<'_>) {
    let Target::Command(program, arguments) = target else {
        panic!("skills are read over stdio");
    };
    let mut command = tokio::process::Command::new(program);
    command.args(arguments);
    let transport = TokioChildProcess::new(command).expect("to start the server");
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let client = Host.serve_with_lifecycle(transport, lifecycle).await;
    let client = client.expect("to connect");
    let info = client.peer_info().expect("what the server is");
    let (supported, directories) = (
        info.capabilities.supports_skills(),
        info.capabilities.supports_directory_read(),
    );
    let mut skills = Vec::new();
    for skill in client.list_all_skills().await.expect("skills") {
        skill.validate().expect("a valid entry");
        skills.push(describe(&client, &skill.uri).await);
    }
    println!(
        "{}",
        json!({ "supported": supported, "directoryRead": directories, "skills": skills })
    );
    client.cancel().await.expect("to close");
}
