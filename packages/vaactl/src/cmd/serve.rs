use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use super::Exit;
use crate::cli::{Global, Serve};
use crate::output::Output;
use crate::registry;
use crate::serve::{Connect, Limits, Server};

/// How many queries of a chain's node are under way together. An embedded registry has one owner.
const NODE_WORKERS: usize = 8;

pub(super) fn run(global: &Global, args: &Serve, out: &mut Output) -> Result<Exit> {
    let limits = Limits {
        connections: args.max_connections,
        head: Duration::from_secs(args.client_timeout),
        write: Duration::from_secs(args.client_timeout),
        request: Duration::from_secs(args.request_timeout),
        ..Limits::default()
    };
    let server = Server::bind(&args.listen, limits)?;
    let workers = if global.node.url.is_some() {
        NODE_WORKERS
    } else {
        1
    };
    let global = global.clone();
    let connect: Connect = Arc::new(move || registry::connect(&global));
    server.run(workers, &connect, |address| {
        let url = format!("http://{address}");
        if out.is_json() {
            out.json(&json!({ "listening": url }))?;
        } else {
            out.line(format!("listening on {url}"))?;
        }
        Ok(out.flush()?)
    })?;
    Ok(Exit::Done)
}
