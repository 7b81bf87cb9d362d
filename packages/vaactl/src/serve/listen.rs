//! Listens, and serves connections until told to end.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

use super::body::App;
use super::limits::{HEAD_LEN, HEADERS, Limits};
use super::router::router;
use super::workers::{Connect, Workers};

/// Says why a server can not serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address can not be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused something else.
    #[error("cannot serve: {0}")]
    System(#[from] io::Error),
}

/// What is sent to a client that is one too many.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n\
    retry-after: 1\r\nconnection: close\r\ncontent-length: 66\r\n\r\n\
    {\"code\":14,\"message\":\"too many connections are open\",\"details\":[]}";

/// How long nothing is accepted after the system refused to, as it does without free file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves a registry over HTTP.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    limits: Limits,
}

impl Server {
    /// Listens on `address`, such as `127.0.0.1:7071`; port 0 is any free port.
    ///
    /// # Errors
    /// [`ServeError`], for an address that can not be listened on.
    pub fn bind(address: &str, limits: Limits) -> Result<Self, ServeError> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let listener = runtime
            .block_on(TcpListener::bind(address))
            .map_err(|source| ServeError::Listen {
                address: address.to_owned(),
                source,
            })?;
        Ok(Self {
            runtime,
            listener,
            limits,
        })
    }

    /// Returns the address that is listened on.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        Ok(self.listener.local_addr()?)
    }

    /// Serves until the process is told to end by SIGINT or SIGTERM, with `workers` threads that each own a backend.
    /// `ready` is called when clients are answered.
    ///
    /// # Errors
    /// Why a backend can not be reached, and errors of `ready`.
    pub fn run(
        self,
        workers: usize,
        connect: &Connect,
        ready: impl FnOnce(SocketAddr) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let address = self.address()?;
        let Self {
            runtime,
            listener,
            limits,
        } = self;
        let (threads, desk) = Workers::start(workers, connect, limits.request)?;
        let app = App::new(desk, limits);
        let served = runtime.block_on(async {
            let mut interrupt = signal(SignalKind::interrupt())?;
            let mut terminate = signal(SignalKind::terminate())?;
            ready(address)?;
            let end = async {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
            };
            serve(listener, app, end).await;
            anyhow::Ok(())
        });
        // Ends what is left of connections, and with them the last desk.
        runtime.shutdown_timeout(Duration::ZERO);
        threads.join();
        served
    }
}

async fn serve(listener: TcpListener, app: App, end: impl Future<Output = ()>) {
    let limits = app.limits;
    let service = router(&app);
    let open = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut end = pin!(end);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut end => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) if is_of_peer(&error) => continue,
            Err(_) => {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Ok(permit) = open.clone().try_acquire_owned() else {
            refuse(&stream);
            continue;
        };
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.write));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(HEAD_LEN)
            .max_headers(HEADERS)
            .serve_connection(
                TokioIo::new(Box::pin(stream)),
                TowerToHyperService::new(service.clone()),
            );
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that is slow, gone or malformed concerns nobody else.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(limits.shutdown, graceful.shutdown()).await;
}

/// Tells whether a failure to accept is of one client only.
fn is_of_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}

/// Sends the refusal as far as it can be sent at once.
fn refuse(stream: &TcpStream) {
    let _ = stream.try_write(REFUSAL);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_is_a_whole_answer() {
        let text = std::str::from_utf8(REFUSAL).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())));
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["code"], 14);
    }
}
