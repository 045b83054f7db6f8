//! chessground, the board of lichess.org, behind a typed handle. It is loaded as a module of its own, so the page can
//! say so when it does not arrive; it is given legal destinations and never computes them.

use js_sys::{Array, Function, Map, Object, Reflect};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::HtmlElement;

use super::js_message;

#[wasm_bindgen(inline_js = "export function importModule(url) { return import(url); }")]
extern "C" {
    #[wasm_bindgen(catch, js_name = importModule)]
    async fn import_module(url: &str) -> Result<JsValue, JsValue>;
}

/// The board could not be shown.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the board's script did not load ({0})")]
pub struct BoardError(String);

impl From<JsValue> for BoardError {
    fn from(value: JsValue) -> Self {
        Self(js_message(&value))
    }
}

/// An arrow, or a ring when both squares are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// From, such as `e2`.
    pub from: String,
    /// To.
    pub to: String,
    /// chessground's name of a brush: `blue`, `green`, `red`, `paleGrey`, …
    pub brush: &'static str,
}

/// All that the board shows; the whole is given anew at every change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardView {
    /// Piece placement, the first field of a FEN.
    pub placement: String,
    /// True when Black is at the bottom.
    pub flipped: bool,
    /// True when White is to move.
    pub white_to_move: bool,
    /// Legal destinations by square of origin. Empty: nothing can be moved.
    pub destinations: Vec<(String, Vec<String>)>,
    /// The two squares of the last move.
    pub last_move: Option<(String, String)>,
    /// True when the side to move is in check.
    pub check: bool,
    /// Arrows drawn over it.
    pub arrows: Vec<Arrow>,
    /// Milliseconds that a piece takes to glide; 0 for none.
    pub animation: u32,
}

/// A board on the page. Destroyed when dropped.
#[derive(Debug)]
pub struct Ground {
    api: JsValue,
    on_move: Closure<dyn Fn(String, String)>,
}

impl Ground {
    /// Loads the script at `url` and puts a board into `element`. `on_move` hears every move that the user makes, as
    /// two squares.
    ///
    /// # Errors
    /// When the script does not load or throws.
    pub async fn mount(
        url: &str,
        element: &HtmlElement,
        view: &BoardView,
        on_move: impl Fn(String, String) + 'static,
    ) -> Result<Self, BoardError> {
        let module = import_module(url).await?;
        let create: Function = Reflect::get(&module, &"Chessground".into())?
            .dyn_into()
            .map_err(|_| BoardError("it has no Chessground in it".into()))?;
        let on_move = Closure::<dyn Fn(String, String)>::new(on_move);
        let api = create.call2(&JsValue::NULL, element, &config(view, Some(&on_move)))?;
        let ground = Self { api, on_move };
        ground.show(view);
        Ok(ground)
    }

    /// Shows this view.
    pub fn show(&self, view: &BoardView) {
        self.call("set", &config(view, Some(&self.on_move)));
        let shapes: Array = view
            .arrows
            .iter()
            .map(|arrow| {
                let shape = Object::new();
                set(&shape, "orig", &arrow.from.as_str().into());
                if arrow.from != arrow.to {
                    set(&shape, "dest", &arrow.to.as_str().into());
                }
                set(&shape, "brush", &arrow.brush.into());
                shape
            })
            .collect();
        self.call("setAutoShapes", &shapes);
    }

    fn call(&self, method: &str, argument: &JsValue) {
        let function = Reflect::get(&self.api, &method.into()).ok().and_then(|f| f.dyn_into::<Function>().ok());
        if let Some(function) = function {
            // A board that throws keeps its last picture; the text board beside it still tells the position.
            let _ = function.call1(&self.api, argument);
        }
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.call("destroy", &JsValue::UNDEFINED);
    }
}

fn config(view: &BoardView, on_move: Option<&Closure<dyn Fn(String, String)>>) -> Object {
    let color = |white: bool| JsValue::from_str(if white { "white" } else { "black" });
    let destinations = Map::new();
    for (from, to) in &view.destinations {
        let to: Array = to.iter().map(|s| JsValue::from_str(s)).collect();
        destinations.set(&from.as_str().into(), &to);
    }
    let events = Object::new();
    if let Some(on_move) = on_move {
        set(&events, "after", on_move.as_ref());
    }
    let movable = Object::new();
    set(&movable, "free", &false.into());
    set(&movable, "color", &color(view.white_to_move));
    set(&movable, "dests", &destinations);
    set(&movable, "showDests", &true.into());
    set(&movable, "events", &events);
    let animation = Object::new();
    set(&animation, "enabled", &(view.animation > 0).into());
    set(&animation, "duration", &view.animation.into());
    let drawable = Object::new();
    set(&drawable, "enabled", &true.into());
    let config = Object::new();
    set(&config, "fen", &view.placement.as_str().into());
    set(&config, "orientation", &color(!view.flipped));
    set(&config, "turnColor", &color(view.white_to_move));
    set(&config, "check", &view.check.into());
    let last: Array = match &view.last_move {
        Some((from, to)) => [from, to].iter().map(|s| JsValue::from_str(s)).collect(),
        None => Array::new(),
    };
    set(&config, "lastMove", &last);
    set(&config, "coordinates", &true.into());
    set(&config, "disableContextMenu", &true.into());
    set(&config, "movable", &movable);
    set(&config, "premovable", &disabled());
    set(&config, "animation", &animation);
    set(&config, "drawable", &drawable);
    config
}

fn disabled() -> Object {
    let object = Object::new();
    set(&object, "enabled", &false.into());
    object
}

fn set(object: &Object, key: &str, value: &JsValue) {
    // Setting a property of a plain object that we just made cannot fail.
    let _ = Reflect::set(object, &key.into(), value);
}
