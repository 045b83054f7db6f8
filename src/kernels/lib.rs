//! What a residual network's layers compute with: boards of 64 squares, plane by plane.
//!
//! | module | what is there |
//! |---|---|
//! | [`winograd`] | 3×3 convolutions |
//! | [`sparse`] | 3×3 convolutions of boards that are mostly 0 |
//! | [`dense`] | dense layers, of one vector or of every square alike |
//! | [`excitation`] | the end of a residual block: squeeze and excitation, what the block adds to, the rectifier |
//!
//! The order of operations is fixed and nothing is fused, so the same input gives the same bits in wasm and natively.
//! Pure arithmetic: who uses it in a network's graph is `kibitz::net::operators`.

/// Layers are shown by their names: their numbers would fill pages, and what prints them a kilobyte of the worker.
macro_rules! shown_by_name {
    ($layer:ident) => {
        impl std::fmt::Debug for $layer {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($layer))
            }
        }
    };
}

mod at_least;
pub mod dense;
pub mod excitation;
mod misshapen;
pub mod sparse;
pub mod winograd;

pub use misshapen::Misshapen;

/// Squares of a board.
pub const SQUARES: usize = 64;
