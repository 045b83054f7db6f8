//! Options that long runs share: who is asked, and at what price.

use std::time::Duration;

use kibitz::{
    llm::{ApiKey, Provider},
    long_run::tokens::Prices,
};

use super::endpoint::Endpoint;

/// A model with its address and the variable of its key: `NAME=PROVIDER,URL,MODEL[,KEY_VARIABLE]`.
#[derive(Debug, Clone)]
pub struct EndpointSpec {
    pub name: String,
    pub provider: Provider,
    pub base: String,
    pub model: String,
    pub key: Option<String>,
}

impl EndpointSpec {
    /// Where it is asked; the key is read from its variable.
    pub fn endpoint(&self, timeout: Duration) -> Result<Endpoint, String> {
        let key = match &self.key {
            None => None,
            Some(name) => {
                let value = std::env::var(name).map_err(|_| format!("there is no variable {name}"))?;
                Some(ApiKey::new(&value).map_err(|error| format!("{name}: {error}"))?)
            }
        };
        Endpoint::new(self.provider, &self.base, key, timeout).map_err(|error| error.to_string())
    }
}

/// Reads an endpoint as it is written on the command line.
pub fn endpoint_spec(text: &str) -> Result<EndpointSpec, String> {
    let (name, rest) = text
        .split_once('=')
        .ok_or("a model is written NAME=PROVIDER,URL,MODEL")?;
    let fields: Vec<&str> = rest.split(',').map(str::trim).collect();
    let (provider, base, model, key) = match fields.as_slice() {
        [provider, base, model] => (provider, base, model, None),
        [provider, base, model, key] => (provider, base, model, Some((*key).to_owned())),
        _ => return Err("a model has a provider, a URL, a name and perhaps the variable of its key".to_owned()),
    };
    let provider = Provider::from_word(provider)
        .filter(|provider| *provider != Provider::BuiltIn)
        .ok_or_else(|| format!("`{provider}` is neither openai, anthropic nor ollama"))?;
    Ok(EndpointSpec {
        name: name.trim().to_owned(),
        provider,
        base: (*base).to_owned(),
        model: (*model).to_owned(),
        key,
    })
}

/// So many finite numbers of 0 or more, parted by commas.
pub fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|field| field.trim().parse().ok()).collect();
    let fine = |number: &f64| number.is_finite() && *number >= 0.0;
    numbers?.try_into().ok().filter(|all: &[f64; N]| all.iter().all(fine))
}

/// Reads prices.
pub fn prices(text: &str) -> Result<Prices, String> {
    numbers::<2>(text)
        .map(|[prompt, completion]| Prices { prompt, completion })
        .ok_or_else(|| "prices are two numbers parted by a comma".to_owned())
}
