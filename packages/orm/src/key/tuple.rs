//! Composite keys: the parts one after the other. Each ends itself, so nesting adds no bytes.

use super::{Key, KeyError, KeyReader, KeyWriter};

/// No part at all: writes nothing. The key of the one total of a list; never a primary key.
impl Key for () {
    const ORDERED: bool = true;

    fn write(&self, _: &mut KeyWriter) -> Result<(), KeyError> {
        Ok(())
    }

    fn read(_: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        Ok(())
    }

    fn is_empty(&self) -> bool {
        true
    }
}

macro_rules! tuples {
    ($($part:ident)* ; $last:ident) => {
        #[allow(non_snake_case)]
        impl<$($part: Key,)* $last: Key> Key for ($($part,)* $last,) {
            const ORDERED: bool = $($part::ORDERED &&)* $last::ORDERED;

            fn describe() -> String {
                [$($part::describe(),)* $last::describe()].join(",")
            }

            fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
                let ($($part,)* $last,) = self;
                $(out.part($part, false)?;)*
                out.part($last, true)
            }

            fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
                Ok(($(input.part::<$part>(false)?,)* input.part::<$last>(true)?,))
            }

            fn is_empty(&self) -> bool {
                let ($($part,)* $last,) = self;
                $($part.is_empty() &&)* $last.is_empty()
            }
        }
    };
}

tuples!(; A);
tuples!(A; B);
tuples!(A B; C);
tuples!(A B C; D);
tuples!(A B C D; E);
tuples!(A B C D E; F);
tuples!(A B C D E F; G);
tuples!(A B C D E F G; H);
tuples!(A B C D E F G H; I);
tuples!(A B C D E F G H I; J);
tuples!(A B C D E F G H I J; K);
tuples!(A B C D E F G H I J K; L);
