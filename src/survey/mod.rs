//! Studies in which people rate comments: what they are asked, what they answered, and what that says.

pub mod long_form;

pub use long_form::Rating;
