//! Settings come from outside as data, under the names that flags and config files have for them.

use fanmill_corpus::job::Places;
use fanmill_jobs::given::SettingsLayer;
use fanmill_jobs::sift::{add, campaign, check, expire, rekey, remove, upgrade};
use fanmill_jobs::{compare, dedup, urls};
use fanmill_text::progress::Silent;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_value, json, to_value};

/// What is written of settings is read back as the same.
fn is_read_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(settings: &T) {
    let written = to_value(settings).expect("data");
    assert_eq!(&from_value::<T>(written.clone()).expect("ours"), settings, "{written}");
}

#[test]
fn what_is_written_is_read_back() {
    is_read_back(&compare::Settings::default());
    is_read_back(&compare::Inputs::from_paths(["a", "b"]));
    is_read_back(&dedup::Settings::default());
    is_read_back(&urls::Settings::default());
    is_read_back(&add::Settings::default());
    is_read_back(&check::Settings::default());
    is_read_back(&campaign::Settings::default());
    is_read_back(&rekey::Settings::default());
    is_read_back(&remove::Settings::default());
    is_read_back(&expire::Settings::default());
    is_read_back(&upgrade::Settings::default());

    let given = json!({"noise": 8, "select": "winnow", "max-docs": "30%", "code": {"noise": 9}});
    is_read_back(&from_value::<compare::Settings>(given).expect("settings"));
    let given = json!({"max-docs": 12, "cluster-threshold": 0.3});
    is_read_back(&from_value::<compare::Settings>(given).expect("settings"));
    let given = json!({"paths": ["a"], "group-by": "root", "max-depth": 2});
    let inputs: compare::Inputs = from_value(given).expect("inputs");
    assert_eq!((inputs.limits.depth, inputs.limits.entries), (2, 100_000));
    is_read_back(&inputs);
    let given = json!({"keep": "newest:date", "sketch": "perm(t=128)", "cluster": "components",
        "unit": "document", "mode": "mark", "input-format": "csv", "min-score": 0.7});
    is_read_back(&from_value::<dedup::Settings>(given).expect("settings"));
    let given = json!({"profile": "mail"});
    let settings: add::Settings = from_value(given).expect("settings");
    is_read_back(&settings);
    assert!(settings.profile.is_some());
}

/// Fills settings that know nothing of a name.
fn said_of_unknown<T: Default + Serialize + DeserializeOwned>() -> String {
    let mut given = SettingsLayer::from_json(r#"{"guarante": 30}"#).expect("an object");
    given.fill(&mut T::default()).expect("nothing that it knows");
    given.finish().expect_err("unknown").to_string()
}

#[test]
fn a_name_that_means_nothing_is_an_error() {
    for said in [
        said_of_unknown::<compare::Settings>(),
        said_of_unknown::<compare::Inputs>(),
        said_of_unknown::<dedup::Settings>(),
        said_of_unknown::<urls::Settings>(),
        said_of_unknown::<add::Settings>(),
        said_of_unknown::<check::Settings>(),
        said_of_unknown::<campaign::Settings>(),
        said_of_unknown::<rekey::Settings>(),
        said_of_unknown::<remove::Settings>(),
        said_of_unknown::<expire::Settings>(),
        said_of_unknown::<upgrade::Settings>(),
    ] {
        assert!(said.starts_with("the setting `guarante`: there is no such setting; "), "{said}");
    }
}

/// A flag of a command line is no word for a program that has none.
#[test]
fn errors_name_settings() {
    let wrong = json!({"min-words": 3});
    let settings: dedup::Settings = from_value(wrong).expect("settings");
    let error = dedup::run(&settings, &dedup::Inputs::default(), &Places::default(), &Silent);
    assert_eq!(
        error.expect_err("without effect").to_string(),
        "the setting `min-words` has no effect with the setting `unit` document: it concerns paragraphs, lines \
         or runs of words, or runs shared with test sets; leave out one of the two"
    );
    let wrong = json!({"code": {"noise": 30, "guarantee": 9}});
    let settings: compare::Settings = from_value(wrong).expect("settings");
    let error =
        settings.recipe(fanmill_text::token::Kind::Code).expect_err("contradiction").to_string();
    assert!(
        error.ends_with("raise the setting `guarantee` or lower the setting `noise`"),
        "{error}"
    );
}
