//! Orders with column families: what changes often is apart from what is long, so that a change writes few bytes.

use cosmwasm_std::{Order as Direction, testing::MockStorage};
use cw_orm::{Families, Family, OrmError, Table};
use serde::{Deserialize, Serialize};

/// An order.
#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 10, name = by_state, key(progress.state))]
struct Order {
    #[pk]
    customer: String,
    #[pk]
    number: u32,
    /// What was ordered: written once.
    #[family(id = 1)]
    terms: Option<Terms>,
    /// How far it is: written again and again.
    #[family(id = 2)]
    progress: Option<Progress>,
}

#[derive(Clone, Debug, PartialEq, Family, Serialize, Deserialize)]
struct Terms {
    items: Vec<String>,
    note: String,
}

#[derive(Clone, Debug, PartialEq, Family, Serialize, Deserialize)]
struct Progress {
    state: String,
}

fn main() -> Result<(), OrmError> {
    let mut store = MockStorage::new();
    let orders = Order::TABLE;
    for number in 1..=3 {
        let terms = Terms {
            items: vec!["a long list".into(); 20],
            note: "ring twice".into(),
        };
        let state = "new".into();
        orders.insert(
            &mut store,
            &Order {
                customer: "ann".into(),
                number,
                terms: Some(terms),
                progress: Some(Progress { state }),
            },
        )?;
    }

    // Reads and writes one small family, and the index entry that changed.
    let key = ("ann".to_owned(), 2);
    let state = "sent".into();
    let progress = orders.family::<Progress>();
    progress.update(&mut store, &key, Progress { state })?;

    let sent = orders
        .by::<Progress, _>(Order::BY_STATE)?
        .key(&"sent".into())?;
    let sent = sent.ids(&store, Direction::Ascending).read_all()?;
    println!("sent: {sent:?}");

    // A list of one family is one scan of its rows, which are short.
    for row in progress.all().rows(&store, Direction::Ascending) {
        println!("{:?}", row?);
    }
    let whole = orders.get(&store, &key, Families::ALL)?;
    println!(
        "items of order 2: {:?}",
        whole
            .and_then(|order| order.terms)
            .map(|terms| terms.items.len())
    );
    Ok(())
}
