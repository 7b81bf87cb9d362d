//! Serves a registry, read-only, over HTTP.
//!
//! One base URL answers in the forms that clients of Wormhole speak already: a guardian's public
//! REST interface (`/v1/…`) and its gRPC-web, and Wormholescan's `/api/v1/…`. [`Server`] listens;
//! a request passes the limits, is routed, and its work is handed to threads that each own a
//! [`Backend`](crate::backend::Backend). `GET /openapi.json` describes all paths.

mod body;
mod documents;
mod error;
mod grpc_web;
mod guard;
mod guardian;
mod limits;
mod list;
mod listen;
mod native;
mod observations;
mod page;
mod path;
mod payload;
mod router;
mod transactions;
mod vaas;
mod workers;

pub use limits::Limits;
pub use listen::{ServeError, Server};
pub use workers::Connect;
