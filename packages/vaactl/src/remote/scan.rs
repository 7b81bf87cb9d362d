use serde::Deserialize;
use wormhole_vaa::MessageId;

use super::client::base64;
use super::{Client, Emitter, Fetched, RemoteError, ScanPlace};

/// Walks a list of Wormholescan in the order of the VAAs' own times.
///
/// New VAAs come in at the end of the list, but for some that come late. Those move the rows behind them, which is
/// noticed by the last row that was read; then the list is read from its start.
#[derive(Debug)]
pub struct Scan {
    emitter: Option<Emitter>,
    page_size: u64,
}

#[derive(Deserialize)]
struct Answer {
    // Some servers answer null for none.
    data: Option<Vec<Document>>,
}

#[derive(Deserialize)]
struct Document {
    id: String,
    vaa: String,
}

impl Scan {
    /// Walks the list of an emitter, or of all, in pages of so many rows.
    #[must_use]
    pub fn new(emitter: Option<Emitter>, page_size: u64) -> Self {
        Self {
            emitter,
            page_size: page_size.max(1),
        }
    }

    /// Returns the list's name in a cursor.
    #[must_use]
    pub fn name(&self) -> String {
        match self.emitter {
            Some(emitter) => emitter.to_string(),
            None => "all".into(),
        }
    }

    /// Reads on from a place to the list's end. `take` is handed each page's new rows with the place after them.
    ///
    /// # Errors
    /// [`RemoteError`] as `E`, and errors of `take`.
    pub fn round<E: From<RemoteError>>(
        &self,
        client: &Client,
        mut place: ScanPlace,
        mut take: impl FnMut(Vec<Fetched>, &ScanPlace) -> Result<(), E>,
    ) -> Result<(), E> {
        // The page that the last row is on, if there is one: it may have grown since.
        let mut page = self.page_of_last(&place);
        let mut rows = self.page(client, page)?;
        if !self.stands(&place, page, &rows) {
            place = ScanPlace::default();
            if page > 0 {
                page = 0;
                rows = self.page(client, page)?;
            }
        }
        loop {
            let full = rows.len() as u64 >= self.page_size;
            let known = place
                .rows
                .saturating_sub(page.saturating_mul(self.page_size));
            let known = usize::try_from(known).unwrap_or(usize::MAX);
            let new: Vec<_> = rows.into_iter().skip(known).collect();
            if let Some(last) = new.last() {
                place = ScanPlace {
                    rows: place.rows.saturating_add(new.len() as u64),
                    last: Some(last.id.to_string()),
                };
                take(new, &place)?;
            }
            if !full {
                return Ok(());
            }
            page = page.saturating_add(1);
            rows = self.page(client, page)?;
        }
    }

    fn page_of_last(&self, place: &ScanPlace) -> u64 {
        let last = place.rows.saturating_sub(1);
        last.checked_div(self.page_size).unwrap_or_default()
    }

    /// Tells whether the last row of a place is where it was, on a page.
    fn stands(&self, place: &ScanPlace, page: u64, rows: &[Fetched]) -> bool {
        let before = page.saturating_mul(self.page_size);
        let Some(last) = place.rows.saturating_sub(before).checked_sub(1) else {
            return true;
        };
        let row = usize::try_from(last).ok().and_then(|last| rows.get(last));
        row.map(|row| row.id.to_string()) == place.last
    }

    fn page(&self, client: &Client, page: u64) -> Result<Vec<Fetched>, RemoteError> {
        let list = match self.emitter {
            Some(emitter) => format!("/api/v1/vaas/{emitter}"),
            None => "/api/v1/vaas".into(),
        };
        let size = self.page_size;
        let path = format!("{list}?page={page}&pageSize={size}&sortOrder=ASC");
        let (url, answer) = client.get::<Answer>(&path)?;
        let answer = answer.ok_or_else(|| RemoteError::Status {
            url: url.clone(),
            status: 404,
            reason: "no such list".into(),
        })?;
        let rows = answer.data.unwrap_or_default();
        rows.into_iter()
            .map(|document| self.fetched(&url, &document))
            .collect()
    }

    fn fetched(&self, url: &str, document: &Document) -> Result<Fetched, RemoteError> {
        let id: MessageId = document.id.parse().map_err(|error| RemoteError::Answer {
            url: url.to_owned(),
            reason: format!("{error}"),
        })?;
        if let Some(emitter) = self.emitter
            && (emitter.chain, emitter.address) != (id.chain, id.emitter)
        {
            return Err(RemoteError::Answer {
                url: url.to_owned(),
                reason: format!("{id} is not of the emitter asked for"),
            });
        }
        Fetched::new(url, id, base64(url, &document.id, &document.vaa)?)
    }
}
