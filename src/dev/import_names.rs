//! Short names for what a wasm file imports from its own script: wasm-bindgen tells functions apart by sixteen
//! hexadecimal digits, which nothing compresses, and which are sent twice: in the wasm and in the script.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{ImportSection, Module};
use wasmparser::{ImportSectionReader, Parser, Payload};

use crate::tidy::Encoded;

/// The script and the wasm with short names in both.
///
/// # Errors
/// When the file is no wasm, or has something in it that is not known here.
pub fn shortened(script: &str, wasm: &[u8]) -> Encoded<(String, Vec<u8>)> {
    let mut names = ShortNames::of(wasm)?;
    let mut module = Module::new();
    names.parse_core_module(&mut module, Parser::new(0), wasm)?;
    Ok((names.in_script(script), module.finish()))
}

/// Short names by long ones.
struct ShortNames(BTreeMap<String, String>);

impl ShortNames {
    fn of(wasm: &[u8]) -> Encoded<Self> {
        let mut long = BTreeSet::new();
        for payload in Parser::new(0).parse_all(wasm) {
            if let Payload::ImportSection(imports) = payload? {
                for import in imports.into_imports() {
                    let name = import?.name;
                    if has_digits(name) {
                        long.insert(name.to_owned());
                    }
                }
            }
        }
        // Sorted, so that the same program gets the same names.
        let short = (0..).map(|number: u32| format!("_{number:x}"));
        Ok(Self(long.into_iter().zip(short).collect()))
    }

    /// The script with the short names. A name is a whole word: one may be the beginning of another.
    fn in_script(&self, script: &str) -> String {
        let is_of_a_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$');
        let mut shortened = String::new();
        let mut rest = script;
        while let Some(from) = rest.find(is_of_a_word) {
            let (before, after) = rest.split_at(from);
            let (word, after) = after.split_at(after.find(|letter| !is_of_a_word(letter)).unwrap_or(after.len()));
            shortened.push_str(before);
            shortened.push_str(self.0.get(word).map_or(word, String::as_str));
            rest = after;
        }
        shortened + rest
    }
}

impl Reencode for ShortNames {
    type Error = Infallible;

    fn parse_import_section(&mut self, section: &mut ImportSection, imports: ImportSectionReader<'_>) -> Encoded<()> {
        for import in imports.into_imports() {
            let import = import?;
            let of_type = self.entity_type(import.ty)?;
            let name = self.0.get(import.name).map_or(import.name, String::as_str);
            section.import(import.module, name, of_type);
        }
        Ok(())
    }
}

/// Whether wasm-bindgen's digits are at the end of a name.
fn has_digits(name: &str) -> bool {
    name.rsplit_once('_')
        .is_some_and(|(_, digits)| digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{EntityType, TypeSection};

    use super::*;

    const READ: &str = "__wbg_read_0123456789abcdef";
    const READY: &str = "__wbg_ready_fedcba9876543210";

    fn importing(names: &[&str]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        for name in names {
            imports.import("./script.js", name, EntityType::Function(0));
        }
        let mut module = Module::new();
        module.section(&types).section(&imports);
        module.finish()
    }

    #[test]
    fn script_and_wasm_agree_on_the_short_names() {
        let script =
            format!("const imports = {{ {READY}: () => {READ}0, {READ}: arg0 => arg0.read(), memory }};\nmemory");
        let (script, wasm) = shortened(&script, &importing(&[READY, "memory", READ])).unwrap();
        assert_eq!(
            script,
            format!("const imports = {{ _1: () => {READ}0, _0: arg0 => arg0.read(), memory }};\nmemory")
        );
        assert_eq!(wasm, importing(&["_1", "memory", "_0"]));
    }

    #[test]
    fn what_has_no_long_names_stays() {
        let plain = importing(&["memory", "__wbg_read_0123456789abcde"]);
        assert_eq!(shortened("", &plain).unwrap(), (String::new(), plain));
        assert!(shortened("", b"nothing").is_err());
    }
}
