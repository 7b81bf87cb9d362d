//! The arguments of `serve`.

use clap::Args;

/// Takes the arguments of `serve`.
#[derive(Debug, Args)]
#[command(
    after_help = "GET /openapi.json describes what is served. SIGINT and SIGTERM end it. An embedded registry is held meanwhile: other commands are told that it is in use."
)]
pub struct Serve {
    /// Address to listen on; port 0 is any free port, which is printed.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7071")]
    pub listen: String,
    /// Most connections; more are refused at once.
    #[arg(long, value_name = "N", default_value = "1024", value_parser = parse_connections)]
    pub max_connections: usize,
    /// Seconds that a request may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub request_timeout: u64,
    /// Seconds for which a client may send nothing of a request's head, or take nothing of an answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub client_timeout: u64,
}

fn parse_connections(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(connections @ 1..=1_000_000) => Ok(connections),
        _ => Err("a number from 1 to 1000000".into()),
    }
}
