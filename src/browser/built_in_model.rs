//! The language model that some browsers bring: `LanguageModel`, the W3C community group's Prompt API. Reached by
//! reflection, since most browsers do not have it and `web_sys` does not know it.

use std::rc::Rc;

use js_sys::{Array, Function, JSON, Object, Promise, Reflect};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::ReadableStreamDefaultReader;

use super::{http::Abort, js_message};

/// What the browser threw.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name}: {message}")]
pub struct ModelError {
    /// The exception's name, such as `QuotaExceededError`; may be empty.
    pub name: String,
    /// What it says of itself.
    pub message: String,
}

impl ModelError {
    fn of(value: &JsValue) -> Self {
        let name = Reflect::get(value, &"name".into()).ok();
        let message = Reflect::get(value, &"message".into()).ok();
        Self {
            name: name.and_then(|name| name.as_string()).unwrap_or_default(),
            message: message
                .and_then(|message| message.as_string())
                .unwrap_or_else(|| js_message(value)),
        }
    }

    fn absent() -> Self {
        Self {
            name: String::new(),
            message: "this browser has no model of its own".to_owned(),
        }
    }
}

/// Whether the model can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// Not on this device.
    Unavailable,
    /// After a download, which a click must begin.
    Downloadable,
    /// A download is under way.
    Downloading,
    /// The model is there and can be asked at once.
    Available,
}

/// Who says a message, in the API's words.
pub type Prompt<'a> = (&'a str, &'a str);

/// Whether the browser has such an API at all.
#[must_use]
pub fn is_present() -> bool {
    class().is_some()
}

fn class() -> Option<JsValue> {
    let class = Reflect::get(&js_sys::global(), &"LanguageModel".into()).ok()?;
    (class.is_function() || class.is_object()).then_some(class)
}

fn method(of: &JsValue, name: &str) -> Result<Function, ModelError> {
    let method = Reflect::get(of, &name.into()).map_err(|error| ModelError::of(&error))?;
    method.dyn_into().map_err(|_| ModelError {
        name: "TypeError".to_owned(),
        message: format!("the browser’s model has no {name}"),
    })
}

async fn awaited(promise: JsValue) -> Result<JsValue, ModelError> {
    JsFuture::from(Promise::resolve(&promise))
        .await
        .map_err(|error| ModelError::of(&error))
}

fn set(object: &Object, name: &str, value: &JsValue) {
    // Setting a property of a plain object of our own does not fail.
    let _ = Reflect::set(object, &name.into(), value);
}

/// What is said and understood: English text. Named because browsers warn about a model without a language.
fn options() -> Object {
    let text = Object::new();
    set(&text, "type", &"text".into());
    set(&text, "languages", &Array::of1(&"en".into()));
    let options = Object::new();
    set(&options, "expectedInputs", &Array::of1(&text));
    set(&options, "expectedOutputs", &Array::of1(&text));
    options
}

/// Whether it can be used; `None` where the browser has no such API.
pub async fn availability() -> Option<Availability> {
    let class = class()?;
    let word = async {
        let ask = method(&class, "availability")?;
        let promise = ask.call1(&class, &options()).map_err(|error| ModelError::of(&error))?;
        awaited(promise).await
    };
    // An API that cannot even answer this cannot be used.
    Some(match word.await.ok().and_then(|word| word.as_string()).as_deref() {
        Some("available") => Availability::Available,
        Some("downloading") => Availability::Downloading,
        Some("downloadable") => Availability::Downloadable,
        _ => Availability::Unavailable,
    })
}

/// A conversation. Dropping it ends what runs in it and frees its memory.
#[derive(Debug)]
pub struct Session {
    session: JsValue,
    abort: Option<Abort>,
}

impl Session {
    /// Begins a conversation after `initial`, whose first may be the system's. Where the model is not there yet, the browser
    /// downloads it, which takes a click in the moments before; `on_progress` hears how far it is, 0 to 1.
    ///
    /// # Errors
    /// When there is no model, or the browser makes none.
    pub async fn create(initial: &[Prompt<'_>], on_progress: impl Fn(f64) + 'static) -> Result<Self, ModelError> {
        let class = class().ok_or_else(ModelError::absent)?;
        let abort = Abort::new();
        let options = options();
        let prompts = Array::new();
        for (role, content) in initial {
            let prompt = Object::new();
            set(&prompt, "role", &(*role).into());
            set(&prompt, "content", &(*content).into());
            prompts.push(&prompt);
        }
        set(&options, "initialPrompts", &prompts);
        set(&options, "monitor", &monitor(Rc::new(on_progress)));
        if let Some(abort) = &abort {
            set(&options, "signal", &abort.signal());
        }
        let create = method(&class, "create")?;
        let promise = create.call1(&class, &options).map_err(|error| ModelError::of(&error))?;
        Ok(Self {
            session: awaited(promise).await?,
            abort,
        })
    }

    /// Asks; the reply comes piece by piece. With `schema`, a JSON schema as text, the reply is held to it: browsers that
    /// know of no such thing pay it no heed.
    ///
    /// # Errors
    /// When the browser does not take the question, or nothing of that schema.
    pub fn ask(&self, question: &str, schema: Option<&str>) -> Result<TextStream, ModelError> {
        let ask = method(&self.session, "promptStreaming")?;
        let options = Object::new();
        if let Some(schema) = schema {
            let schema = JSON::parse(schema).map_err(|error| ModelError::of(&error))?;
            set(&options, "responseConstraint", &schema);
        }
        if let Some(abort) = &self.abort {
            set(&options, "signal", &abort.signal());
        }
        let failed = |error: JsValue| ModelError::of(&error);
        let stream = ask.call2(&self.session, &question.into(), &options).map_err(failed)?;
        let reader = method(&stream, "getReader")?.call0(&stream).map_err(failed)?;
        Ok(TextStream {
            reader: reader.unchecked_into(),
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.abort = None;
        if let Ok(destroy) = method(&self.session, "destroy") {
            // A session that is gone already is as good.
            let _ = destroy.call0(&self.session);
        }
    }
}

/// The function that the browser hands the download to. Both closures belong to JavaScript's collector: the browser may
/// report on a download that nobody here waits for any more.
fn monitor(on_progress: Rc<dyn Fn(f64)>) -> JsValue {
    let monitor = Closure::<dyn Fn(JsValue)>::new(move |target: JsValue| {
        let on_progress = on_progress.clone();
        let heard = Closure::<dyn Fn(JsValue)>::new(move |event: JsValue| {
            let loaded = Reflect::get(&event, &"loaded".into()).ok().and_then(|l| l.as_f64());
            if let Some(loaded) = loaded {
                on_progress(loaded.clamp(0.0, 1.0));
            }
        });
        if let Ok(listen) = method(&target, "addEventListener") {
            // Without progress the download goes on all the same.
            let _ = listen.call2(&target, &"downloadprogress".into(), &heard.into_js_value());
        }
    });
    monitor.into_js_value()
}

/// A reply as it comes.
#[derive(Debug)]
pub struct TextStream {
    reader: ReadableStreamDefaultReader,
}

impl TextStream {
    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// When the model failed.
    pub async fn next(&mut self) -> Result<Option<String>, ModelError> {
        let failed = |error: JsValue| ModelError::of(&error);
        let step = JsFuture::from(self.reader.read()).await.map_err(failed)?;
        let get = |name: &str| Reflect::get(&step, &name.into()).map_err(failed);
        if get("done")?.is_truthy() {
            return Ok(None);
        }
        Ok(Some(get("value")?.as_string().unwrap_or_default()))
    }
}
