//! Which part of a list is wanted.

use serde::Deserialize;

use super::error::ApiError;

/// The most rows of a page.
pub(super) const MOST: u64 = 1_000;

/// Holds the parameters of lists, as they came.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Parameters {
    page: Option<String>,
    page_size: Option<String>,
    sort_order: Option<String>,
    tx_hash: Option<String>,
    parsed_payload: Option<String>,
    app_id: Option<String>,
    to_chain: Option<String>,
    address: Option<String>,
}

/// Says which rows of a list are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// How many come before.
    pub(super) offset: u64,
    /// How many there are at most.
    pub(super) size: u64,
    /// Whether the newest come first.
    pub(super) descending: bool,
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

fn number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

impl Parameters {
    /// Returns the rows wanted, of which a page has `most` at most.
    pub(super) fn part(&self, most: u64) -> Result<Part, ApiError> {
        let page = match given(&self.page) {
            None => 0,
            Some(text) => number(text)
                .ok_or_else(|| ApiError::invalid("page must be a number of 0 or more"))?,
        };
        let size = match given(&self.page_size) {
            None => 50,
            Some(text) => number(text)
                .filter(|size| (1..=most).contains(size))
                .ok_or_else(|| {
                    ApiError::invalid(format!("pageSize must be a number from 1 to {most}"))
                })?,
        };
        let descending = match given(&self.sort_order) {
            None => true,
            Some(text) if text.eq_ignore_ascii_case("desc") => true,
            Some(text) if text.eq_ignore_ascii_case("asc") => false,
            Some(_) => return Err(ApiError::invalid("sortOrder must be ASC or DESC")),
        };
        let offset = page
            .checked_mul(size)
            .ok_or_else(|| ApiError::invalid("page is beyond every list"))?;
        Ok(Part {
            offset,
            size,
            descending,
        })
    }

    /// Tells whether payloads are wanted in parts.
    pub(super) fn parsed_payload(&self) -> Result<bool, ApiError> {
        match given(&self.parsed_payload) {
            None => Ok(false),
            Some(text) if text == "1" || text.eq_ignore_ascii_case("true") => Ok(true),
            Some(text) if text == "0" || text.eq_ignore_ascii_case("false") => Ok(false),
            Some(_) => Err(ApiError::invalid("parsedPayload must be true or false")),
        }
    }

    pub(super) fn tx_hash(&self) -> Option<&str> {
        given(&self.tx_hash)
    }

    pub(super) fn to_chain(&self) -> Option<&str> {
        given(&self.to_chain)
    }

    pub(super) fn address(&self) -> Option<&str> {
        given(&self.address)
    }

    /// Refuses the choice of an application: a registry knows of none.
    pub(super) fn no_app_id(&self) -> Result<(), ApiError> {
        match given(&self.app_id) {
            None => Ok(()),
            Some(_) => Err(ApiError::invalid(
                "appId can not be chosen: applications are not known here",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(page: &str, size: &str, order: &str) -> Result<Part, String> {
        let text = |text: &str| Some(text.to_owned());
        let parameters = Parameters {
            page: text(page),
            page_size: text(size),
            sort_order: text(order),
            ..Parameters::default()
        };
        parameters.part(MOST).map_err(|error| error.message)
    }

    #[test]
    fn parameters_have_defaults_and_bounds() {
        let first = Part {
            offset: 0,
            size: 50,
            descending: true,
        };
        assert_eq!(part("", "", ""), Ok(first));
        assert_eq!(
            part("2", "1000", "asc"),
            Ok(Part {
                offset: 2_000,
                size: 1_000,
                descending: false
            })
        );
        for (page, size, order, word) in [
            ("-1", "", "", "page "),
            ("x", "", "", "page "),
            ("18446744073709551615", "2", "", "page "),
            ("", "0", "", "pageSize "),
            ("", "1001", "", "pageSize "),
            ("", "1e3", "", "pageSize "),
            ("", "", "up", "sortOrder "),
        ] {
            let text = part(page, size, order).unwrap_err();
            assert!(text.starts_with(word), "{text}");
        }
    }
}
