use std::time::Duration;

/// The first pause in milliseconds; doubled with each try.
const FIRST_MS: u64 = 250;
/// The longest pause that is chosen here.
const LONGEST_MS: u64 = 60_000;
/// The longest pause that a server can ask for.
const LONGEST_ASKED: Duration = Duration::from_secs(600);

/// Returns how long to pause after a number of failed tries, at random between half the time and all of it, so that many
/// clients do not come back together; no less than a server asks for.
pub(super) fn pause(failed: u32, asked: Option<Duration>, random: u8) -> Duration {
    let factor = 1_u64.checked_shl(failed.saturating_sub(1));
    let doubled = FIRST_MS.saturating_mul(factor.unwrap_or(u64::MAX));
    let half = doubled.min(LONGEST_MS) / 2;
    let more = half.saturating_mul(random.into()) / 255;
    let chosen = Duration::from_millis(half.saturating_add(more));
    chosen.max(asked.unwrap_or_default().min(LONGEST_ASKED))
}

/// Reads the seconds of a `Retry-After`.
pub(super) fn asked_pause(header: Option<&str>) -> Option<Duration> {
    header?.trim().parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_minute() {
        let ms = |failed, random| pause(failed, None, random).as_millis();
        assert_eq!([ms(1, 255), ms(2, 255), ms(3, 255)], [250, 500, 1_000]);
        assert_eq!([ms(1, 0), ms(2, 0)], [125, 250]);
        assert!((125..=250).contains(&ms(1, 99)));
        for failed in [9, 10, 33, u32::MAX] {
            assert_eq!(ms(failed, 255), 60_000);
        }
    }

    #[test]
    fn a_server_can_ask_for_longer_pauses_only() {
        let seconds = |text| asked_pause(Some(text)).map(|pause| pause.as_secs());
        assert_eq!(seconds(" 7 "), Some(7));
        assert_eq!(seconds("Wed, 21 Oct 2015 07:28:00 GMT"), None);
        assert_eq!(asked_pause(None), None);
        assert_eq!(pause(1, asked_pause(Some("3")), 0).as_secs(), 3);
        assert_eq!(pause(9, asked_pause(Some("3")), 255).as_secs(), 60);
        let forever = asked_pause(Some("18446744073709551615"));
        assert_eq!(pause(1, forever, 0), LONGEST_ASKED);
    }
}
