//! The families of claims: each asks the board of every clause what it knows of.

pub mod balance;
pub mod best_move;
pub mod bonds;
pub mod castling;
pub mod checks;
pub mod contact;
pub mod contact_nouns;
pub mod deed_nouns;
pub mod deeds;
pub mod development;
pub mod exchanges;
pub mod files;
pub mod hanging;
pub mod judgement;
pub mod king;
pub mod material;
pub mod motifs;
pub mod moves;
pub mod placement;
pub mod promotions;
pub mod structure;
pub mod tactics;
pub mod takers;
