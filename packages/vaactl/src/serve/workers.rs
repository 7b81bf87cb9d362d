//! Threads that own the backends and do the requests' work.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use cosmwasm_std::Binary;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use vaa_registry::msg::QueryMsg;

use super::error::{ApiError, Code};
use super::limits::{PLACE_AGE, PLACES, WAITING};
use crate::backend::{Backend, BackendExt};

/// Reaches a backend; called once in each worker's thread, which keeps it.
pub type Connect = Arc<dyn Fn() -> anyhow::Result<Box<dyn Backend>> + Send + Sync>;

type Job = Box<dyn FnOnce(&dyn Backend) + Send>;

/// Hands work to threads that each own a backend.
#[derive(Clone)]
pub(super) struct Desk {
    jobs: SyncSender<Job>,
    places: Arc<Places>,
    patience: Duration,
}

/// Ends the threads when awaited.
pub(super) struct Workers {
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts threads, each of which has reached its backend when this returns.
    ///
    /// # Errors
    /// Why a backend can not be reached, or a thread not be started.
    pub(super) fn start(
        count: usize,
        connect: &Connect,
        patience: Duration,
    ) -> anyhow::Result<(Self, Desk)> {
        let (jobs, waiting) = sync_channel::<Job>(WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        let mut workers = Self {
            threads: Vec::with_capacity(count),
        };
        for number in 1..=count {
            let (ready, is_ready) = sync_channel(1);
            let (waiting, connect) = (waiting.clone(), connect.clone());
            let thread = Builder::new()
                .name(format!("worker-{number}"))
                .spawn(move || match connect() {
                    Ok(backend) => {
                        let _ = ready.send(Ok(()));
                        work(backend.as_ref(), &waiting);
                    }
                    Err(error) => {
                        let _ = ready.send(Err(error));
                    }
                })?;
            workers.threads.push(thread);
            let gone = || io::Error::other("a worker's thread has ended");
            is_ready.recv().map_err(|_| gone())??;
        }
        let desk = Desk {
            jobs,
            places: Arc::default(),
            patience,
        };
        Ok((workers, desk))
    }

    /// Waits until the threads have ended, which they do when no [`Desk`] is left.
    pub(super) fn join(self) {
        for thread in self.threads {
            let _ = thread.join();
        }
    }
}

fn work(backend: &dyn Backend, waiting: &Mutex<Receiver<Job>>) {
    loop {
        let next = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        match next {
            Ok(job) => job(backend),
            Err(_) => return,
        }
    }
}

impl Desk {
    /// Runs `work` in a thread with a backend.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Reader<'_>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (reply, answer) = oneshot::channel();
        let places = self.places.clone();
        let now = Instant::now();
        let deadline = now.checked_add(self.patience).unwrap_or(now);
        let job: Job = Box::new(move |backend| {
            let is_gone = || reply.is_closed();
            if is_gone() {
                return;
            }
            let reader = Reader {
                backend,
                deadline,
                is_gone: &is_gone,
                places: &places,
            };
            // The database library panics on some damaged files.
            let result = catch_unwind(AssertUnwindSafe(|| work(&reader)))
                .unwrap_or_else(|_| Err(ApiError::internal()));
            let _ = reply.send(result);
        });
        self.jobs
            .try_send(job)
            .map_err(|_| ApiError::unavailable("too many requests are waiting"))?;
        answer.await.unwrap_or_else(|_| Err(ApiError::internal()))
    }
}

/// Asks the registry on behalf of one request.
pub(super) struct Reader<'a> {
    backend: &'a dyn Backend,
    deadline: Instant,
    is_gone: &'a dyn Fn() -> bool,
    pub(super) places: &'a Places,
}

impl Reader<'_> {
    pub(super) fn query<R: DeserializeOwned>(&self, msg: &QueryMsg) -> Result<R, ApiError> {
        if Instant::now() >= self.deadline || (self.is_gone)() {
            return Err(ApiError::new(
                Code::DeadlineExceeded,
                "the answer takes too long",
            ));
        }
        Ok(self.backend.query_msg(msg)?)
    }
}

/// Remembers where in a list a page ended, so that the next page need not pass over those before it.
#[derive(Default)]
pub(super) struct Places {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    keys: HashMap<(String, u64), (Binary, Instant)>,
    order: VecDeque<(String, u64)>,
}

impl Places {
    pub(super) fn get(&self, list: &str, offset: u64) -> Option<Binary> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (key, since) = known.keys.get(&(list.to_owned(), offset))?;
        (since.elapsed() < PLACE_AGE).then(|| key.clone())
    }

    pub(super) fn put(&self, list: &str, offset: u64, key: Binary) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (list.to_owned(), offset);
        if known
            .keys
            .insert(place.clone(), (key, Instant::now()))
            .is_none()
        {
            known.order.push_back(place);
        }
        if known.order.len() > PLACES
            && let Some(oldest) = known.order.pop_front()
        {
            known.keys.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_remembered_up_to_a_number() {
        let places = Places::default();
        for offset in 0..=PLACES as u64 {
            places.put("list", offset, Binary::from(offset.to_be_bytes()));
        }
        assert_eq!(places.get("list", 0), None);
        assert_eq!(
            places.get("list", 1),
            Some(Binary::from(1_u64.to_be_bytes()))
        );
        assert_eq!(places.get("other", 1), None);
        places.put("list", 1, Binary::from(b"new"));
        assert_eq!(places.get("list", 1), Some(Binary::from(b"new")));
    }
}
