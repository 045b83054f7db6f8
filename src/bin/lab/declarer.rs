//! The option that names who declares the claims of texts in a long run, and the asking.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use kibitz::commentary::{
    FactSheet,
    kept_declaration::{Declarer, KeptDeclaration},
};

use super::{
    endpoint::{AskError, Endpoint},
    run_options::{EndpointSpec, endpoint_spec},
    run_output::locked,
};

/// Who declares claims, where nobody else is asked.
#[derive(Debug, clap::Args)]
pub struct DeclarerArgs {
    /// A model that declares the claims of every text, asked once for each: NAME=PROVIDER,URL,MODEL and, where it needs one, the
    /// variable that holds its key. Without it our own reader finds the claims.
    #[arg(long, value_name = "NAME=PROVIDER,URL,MODEL[,KEY_VARIABLE]", value_parser = endpoint_spec)]
    declarer: Option<EndpointSpec>,
    /// Seconds that one question to the declarer may take.
    #[arg(long, requires = "declarer", default_value_t = 120, value_parser = clap::value_parser!(u16).range(1..))]
    timeout: u16,
}

impl DeclarerArgs {
    /// The one that was named.
    pub fn declaring(&self) -> Result<Option<Declaring>, String> {
        let timeout = Duration::from_secs(self.timeout.into());
        let declarer = self.declarer.as_ref();
        declarer.map(|spec| Declaring::new(spec, timeout)).transpose()
    }
}

/// A declarer with its endpoint.
pub struct Declaring {
    declarer: Declarer,
    endpoint: Endpoint,
    /// Questions that failed, by the kind of failure.
    failed: Mutex<BTreeMap<&'static str, usize>>,
}

impl Declaring {
    /// One who is asked at this endpoint.
    pub fn new(spec: &EndpointSpec, timeout: Duration) -> Result<Self, String> {
        let endpoint = spec
            .endpoint(timeout)
            .map_err(|error| format!("--declarer {}: {error}", spec.name))?;
        Ok(Self {
            declarer: Declarer {
                name: spec.name.clone(),
                provider: spec.provider.word().to_owned(),
                server: endpoint.server().to_owned(),
                model: spec.model.clone(),
            },
            endpoint,
            failed: Mutex::default(),
        })
    }

    /// Asks for the claims of a text on the sheet's move, again where that may help.
    pub fn ask(&self, sheet: &FactSheet, text: &str) -> Result<KeptDeclaration, AskError> {
        let asked = self.endpoint.ask(self.declarer.request(sheet, text));
        let reply = asked.inspect_err(|error| *locked(&self.failed).entry(error.kind()).or_default() += 1)?;
        Ok(KeptDeclaration::new(&self.declarer, &reply))
    }

    /// Says which questions failed. Nothing of them is kept: whoever goes on asks again.
    pub fn tell_failures(self) {
        for (kind, count) in self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            errln!("lab: {count} texts without declared claims, the question failed: {kind}");
        }
    }
}
