// SPDX-License-Identifier: MIT
//! The Rust SDK as a client or as a server. The word after the program's name says which:
//!   client URL REVISION | server                  the battery, over HTTP; a server prints its port
//!   tasks-client TARGET | tasks-server [http]     tasks by the extension of 2026-07-28
//!   tasks-2025-client TARGET | tasks-2025-server  tasks as 2025-11-25 has them
//!   skills-client TARGET | skills-server FOLDER   skills
//! TARGET is a URL, or -- and the command of a server over stdio.
mod client;
mod server;
mod skills;
mod tasks_2025_client;
mod tasks_2025_server;
mod tasks_client;
mod tasks_server;

const USAGE: &str = "usage: peer_rust client URL REVISION | server | tasks-client TARGET \
| tasks-server [http] | tasks-2025-client TARGET | tasks-2025-server | skills-client TARGET \
| skills-server FOLDER";

/// The server that a command line names.
enum Target<'a> {
    Url(&'a str),
    Command(&'a str, &'a [&'a str]),
}

fn target<'a>(words: &'a [&'a str]) -> Target<'a> {
    match words {
        ["--", program, arguments @ ..] => Target::Command(program, arguments),
        [url] => Target::Url(url),
        _ => panic!("{USAGE}"),
    }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["client", url, revision] => client::run(url, revision).await,
        ["server"] => server::run().await,
        ["tasks-client", ref rest @ ..] => tasks_client::run(target(rest)).await,
        ["tasks-server"] => tasks_server::run().await,
        ["tasks-server", "http"] => tasks_server::run_over_http().await,
        ["tasks-2025-client", ref rest @ ..] => tasks_2025_client::run(target(rest)).await,
        ["tasks-2025-server"] => tasks_2025_server::run().await,
        ["skills-client", ref rest @ ..] => skills::run_client(target(rest)).await,
        ["skills-server", folder] => skills::run_server(folder).await,
        _ => panic!("{USAGE}"),
    }
}
