//! A JSON object as a type. A derived reader of a type with fields also takes an array of their values, in an order that
//! nobody has promised.

use std::fmt::{self, Formatter};
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// A value that was read from an object.
pub(crate) struct FromObject<T>(pub(crate) T);

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FromObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = FromObject<T>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FromObject<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(FromObject)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::FromObject;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    struct Dish {
        name: String,
        salt: u32,
    }

    impl Default for Dish {
        fn default() -> Dish {
            Dish { name: "soup".to_owned(), salt: 2 }
        }
    }

    #[test]
    fn an_array_is_not_an_object() {
        let dish = |json| serde_json::from_str::<FromObject<Dish>>(json).map(|own| own.0).ok();
        assert_eq!(dish("{}"), Some(Dish::default()));
        let pie = Dish { name: "pie".to_owned(), ..Dish::default() };
        assert_eq!(dish(r#"{"name":"pie"}"#), Some(pie));
        for wrong in ["[]", r#"["pie",2]"#, "null", "3", r#"{"salt":"much"}"#] {
            assert_eq!(dish(wrong), None, "{wrong}");
        }
        assert!(serde_json::from_str::<Dish>("[]").is_ok(), "or else this module is not needed");
    }
}
