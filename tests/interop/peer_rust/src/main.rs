// SPDX-License-Identifier: MIT
//! The Rust SDK over HTTP, as a client of everything_server or as a server.
//! Usage: peer_rust client URL REVISION | server
mod client;
mod server;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["client", url, revision] => client::run(url, revision).await,
        ["server"] => server::run().await,
        _ => panic!("usage: peer_rust client URL REVISION | server"),
    }
}
