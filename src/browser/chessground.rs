//! chessground, the board of lichess.org, behind a typed handle. It is loaded as a module of its own, so the page can
//! say so when it does not arrive; it is given legal destinations and never computes them.

use js_sys::{Array, Function, Map, Object, Reflect};
use shakmaty::Square;
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::HtmlElement;

use super::js_message;
use crate::view::board::{BoardView, Brush};

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

/// A board on the page. Destroyed when dropped.
#[derive(Debug)]
pub struct Chessground {
    api: JsValue,
    animation: u32,
    hears: Hears,
}

/// Who hears what the user does on the board.
#[derive(Debug)]
struct Hears {
    moves: Closure<dyn Fn(String, String)>,
    selects: Closure<dyn Fn(String)>,
}

impl Chessground {
    /// Loads the script at `url` and puts a board into `element`. `on_move` hears every move that the user makes, as
    /// two squares, `on_select` every square that is pressed; pieces glide for `animation` milliseconds, 0 for not at all.
    ///
    /// # Errors
    /// When the script does not load or throws.
    pub async fn mount(
        url: &str,
        element: &HtmlElement,
        view: &BoardView,
        animation: u32,
        on_move: impl Fn(String, String) + 'static,
        on_select: impl Fn(String) + 'static,
    ) -> Result<Self, BoardError> {
        let module = import_module(url).await?;
        if !element.is_connected() {
            // A board without a size cannot place its arrows, and complains.
            return Err(BoardError("the page was left meanwhile".into()));
        }
        let create: Function = Reflect::get(&module, &"Chessground".into())?
            .dyn_into()
            .map_err(|_| BoardError("it has no Chessground in it".into()))?;
        let hears = Hears {
            moves: Closure::new(on_move),
            selects: Closure::new(on_select),
        };
        let api = create.call2(&JsValue::NULL, element, &config(view, animation, &hears))?;
        let ground = Self { api, animation, hears };
        ground.show(view);
        Ok(ground)
    }

    /// Shows this view.
    pub fn show(&self, view: &BoardView) {
        self.call("set", &config(view, self.animation, &self.hears));
        let shapes: Array = view
            .arrows
            .iter()
            .map(|arrow| {
                let shape = Object::new();
                set(&shape, "orig", &key(arrow.from));
                if arrow.from != arrow.to {
                    set(&shape, "dest", &key(arrow.to));
                }
                set(&shape, "brush", &brush(arrow.brush).into());
                shape
            })
            .collect();
        self.call("setAutoShapes", &shapes);
    }

    fn call(&self, method: &str, argument: &JsValue) {
        let function = Reflect::get(&self.api, &method.into())
            .ok()
            .and_then(|f| f.dyn_into::<Function>().ok());
        if let Some(function) = function {
            // A board that throws keeps its last picture; the text board beside it still tells the position.
            let _ = function.call1(&self.api, argument);
        }
    }
}

impl Drop for Chessground {
    fn drop(&mut self) {
        self.call("destroy", &JsValue::UNDEFINED);
    }
}

fn key(square: Square) -> JsValue {
    JsValue::from_str(&square.to_string())
}

/// chessground's names of colours.
fn brush(brush: Brush) -> &'static str {
    match brush {
        Brush::Discussed => "blue",
        Brush::Reply => "paleGrey",
        Brush::Allowed => "red",
        Brush::Better => "green",
        Brush::Lit | Brush::Fork => "yellow",
        Brush::Pin => "purple",
        Brush::Hanging => "red",
    }
}

fn config(view: &BoardView, animation_ms: u32, hears: &Hears) -> Object {
    let color = |white: bool| JsValue::from_str(if white { "white" } else { "black" });
    let destinations = Map::new();
    for (from, to) in &view.destinations {
        let to: Array = to.iter().map(|square| key(*square)).collect();
        destinations.set(&key(*from), &to);
    }
    let events = Object::new();
    set(&events, "after", hears.moves.as_ref());
    let presses = Object::new();
    set(&presses, "select", hears.selects.as_ref());
    let movable = Object::new();
    set(&movable, "free", &false.into());
    set(&movable, "color", &color(view.white_to_move));
    set(&movable, "dests", &destinations);
    set(&movable, "showDests", &true.into());
    set(&movable, "events", &events);
    let animation = Object::new();
    set(&animation, "enabled", &(animation_ms > 0).into());
    set(&animation, "duration", &animation_ms.into());
    let drawable = Object::new();
    set(&drawable, "enabled", &true.into());
    let shaded = Map::new();
    for (square, class) in &view.shaded {
        shaded.set(&key(*square), &class.as_str().into());
    }
    let highlight = Object::new();
    set(&highlight, "custom", &shaded);
    let config = Object::new();
    set(&config, "highlight", &highlight);
    set(&config, "fen", &view.placement.as_str().into());
    set(&config, "orientation", &color(!view.flipped));
    set(&config, "turnColor", &color(view.white_to_move));
    set(&config, "check", &view.check.into());
    let last: Array = match &view.last_move {
        Some((from, to)) => [from, to].iter().map(|square| key(**square)).collect(),
        None => Array::new(),
    };
    set(&config, "lastMove", &last);
    set(&config, "coordinates", &true.into());
    set(&config, "disableContextMenu", &true.into());
    set(&config, "movable", &movable);
    set(&config, "events", &presses);
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
