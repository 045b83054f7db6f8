//! Makes a finished wasm file smaller to send without changing what it does: numbers at their shortest, equal functions
//! once, like functions beside each other, no type that nothing has, and nothing that no engine reads.
//!
//! The linker pads numbers so that relocations can be written over them (`--emit-relocs`, by which the program is cut),
//! every part that is cut off has the types of all, and generic code leaves functions that are alike all over a file,
//! further apart than gzip looks back (32 kB).

use std::collections::HashMap;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, Function, FunctionSection, Module, TypeSection};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload, TypeRef,
    TypeSectionReader,
};

/// Functions of one type stand by so many of their first bytes, which tell of their locals, and then by how they end: of the
/// orders that were tried, the smallest once it is compressed.
const BEGIN: usize = 4;

/// What reading and writing wasm comes to.
pub type Encoded<T> = Result<T, Error<Infallible>>;

/// The file, tidied.
///
/// # Errors
/// When it is no wasm, or has something in it that is not known here.
pub fn tidied(wasm: &[u8]) -> Encoded<Vec<u8>> {
    let functions = Functions::read(wasm)?;
    let mut tidy = Tidy::of(&functions)?;
    // Once to see which types are used.
    tidy.write(wasm)?;
    tidy.drop_types();
    tidy.write_bodies(&functions)?;
    tidy.write(wasm)
}

/// The functions of a file.
struct Functions<'a> {
    imported: usize,
    types: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
}

impl<'a> Functions<'a> {
    fn read(wasm: &'a [u8]) -> Encoded<Self> {
        let mut functions = Self {
            imported: 0,
            types: Vec::new(),
            bodies: Vec::new(),
        };
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let is_function = matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_));
                        functions.imported += usize::from(is_function);
                    }
                }
                Payload::FunctionSection(types) => functions.types = types.into_iter().collect::<Result<_, _>>()?,
                Payload::CodeSectionEntry(body) => functions.bodies.push(body),
                _ => {}
            }
        }
        Ok(functions)
    }
}

/// A file that is written anew.
#[derive(Default)]
struct Tidy {
    /// The functions' new indices by their old ones, imported ones included.
    indices: Vec<u32>,
    /// Which functions are written, in this order: places in [`Functions`].
    order: Vec<usize>,
    /// Their types, by old indices, and bodies.
    written: Vec<(u32, Vec<u8>)>,
    /// Which types are used, by their old indices; as far as anything was written.
    used: Vec<bool>,
    /// The types' new indices by their old ones; empty while they keep them.
    types: Vec<Option<u32>>,
}

impl Tidy {
    /// Finds equal functions and an order.
    fn of(functions: &Functions) -> Encoded<Self> {
        let imported = functions.imported;
        let count = imported + functions.bodies.len();
        // At first a function's new index is that of the first one that equals it.
        let mut tidy = Self {
            indices: (0..).take(count).collect(),
            ..Self::default()
        };
        // Callers of equal functions can be equal in turn.
        let kept = loop {
            let mut firsts: HashMap<(u32, Vec<u8>), u32> = HashMap::new();
            let mut first_of = tidy.indices.clone();
            for ((index, of_type), body) in (imported..).zip(&functions.types).zip(&functions.bodies) {
                let own = tidy.indices[index];
                if own as usize == index {
                    first_of[index] = *firsts.entry((*of_type, tidy.body(body)?)).or_insert(own);
                }
            }
            let merged: Vec<u32> = tidy.indices.iter().map(|first| first_of[*first as usize]).collect();
            if merged == tidy.indices {
                break firsts;
            }
            tidy.indices = merged;
        };
        let mut kept: Vec<_> = kept.into_iter().collect();
        kept.sort_unstable_by(|((a_type, a), _), ((b_type, b), _)| {
            let begins = (&a[..a.len().min(BEGIN)], &b[..b.len().min(BEGIN)]);
            (a_type, begins.0)
                .cmp(&(b_type, begins.1))
                .then_with(|| a.iter().rev().cmp(b.iter().rev()))
        });
        let mut places = tidy.indices.clone();
        for (place, (_, index)) in (0..).zip(&kept) {
            places[*index as usize] = place;
        }
        let shift = u32::try_from(imported).unwrap_or(u32::MAX);
        for (index, first) in tidy.indices.iter_mut().enumerate().skip(imported) {
            debug_assert!(*first as usize <= index);
            *first = shift + places[*first as usize];
        }
        tidy.order = kept.iter().map(|(_, index)| *index as usize - imported).collect();
        tidy.write_bodies(functions)?;
        Ok(tidy)
    }

    fn write_bodies(&mut self, functions: &Functions) -> Encoded<()> {
        self.written.clear();
        for at in self.order.clone() {
            let body = self.body(&functions.bodies[at])?;
            self.written.push((functions.types[at], body));
        }
        Ok(())
    }

    /// A function as it is written with the indices that are known by now.
    fn body(&mut self, body: &FunctionBody) -> Encoded<Vec<u8>> {
        let mut function: Function = self.new_function_with_parsed_locals(body)?;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            function.instruction(&self.parse_instruction(&mut operators)?);
        }
        Ok(function.into_raw_body())
    }

    /// Numbers the types that are used.
    fn drop_types(&mut self) {
        let mut next = 0;
        let number = |used: &bool| {
            used.then(|| {
                next += 1;
                next - 1
            })
        };
        self.types = self.used.iter().map(number).collect();
    }

    fn write(&mut self, wasm: &[u8]) -> Encoded<Vec<u8>> {
        let mut module = Module::new();
        self.parse_core_module(&mut module, Parser::new(0), wasm)?;
        Ok(module.finish())
    }
}

impl Reencode for Tidy {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Encoded<u32> {
        Ok(self.indices[index as usize])
    }

    fn type_index(&mut self, index: u32) -> Encoded<u32> {
        let at = index as usize;
        if self.used.len() <= at {
            self.used.resize(at + 1, false);
        }
        self.used[at] = true;
        Ok(self.types.get(at).copied().flatten().unwrap_or(index))
    }

    fn parse_type_section(&mut self, section: &mut TypeSection, types: TypeSectionReader<'_>) -> Encoded<()> {
        for (at, group) in types.into_iter().enumerate() {
            let group = group?;
            if group.is_explicit_rec_group() {
                // Then places among the groups are no indices. Rust makes none of them.
                return Err(Error::CanonicalizedHeapTypeReference);
            }
            if self.types.is_empty() || self.types.get(at).copied().flatten().is_some() {
                utils::parse_recursive_type_group(self, section.ty(), group)?;
            }
        }
        Ok(())
    }

    fn parse_function_section(&mut self, section: &mut FunctionSection, _: FunctionSectionReader<'_>) -> Encoded<()> {
        for at in 0..self.written.len() {
            let of_type = self.type_index(self.written[at].0)?;
            section.function(of_type);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, section: &mut CodeSection, _: CodeSectionReader<'_>) -> Encoded<()> {
        for (_, body) in &self.written {
            section.raw(body);
        }
        Ok(())
    }

    /// Names, producers, features: no engine reads them.
    fn parse_custom_section(&mut self, _: &mut Module, _: CustomSectionReader<'_>) -> Encoded<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{ConstExpr, Instruction, RefType, ValType};
    use wasm_encoder::{ElementSection, Elements, ExportKind, ExportSection, TableSection, TableType};

    use super::*;

    /// Types that nothing has, functions of the same text, callers of them, names.
    fn untidy() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::F64], []);
        types.ty().function([], [ValType::I32]);
        types.ty().function([ValType::I64], []);
        let mut section = FunctionSection::new();
        let mut code = CodeSection::new();
        let add = |section: &mut FunctionSection, code: &mut CodeSection, instruction: Instruction| {
            section.function(1);
            let mut function = Function::new([]);
            code.function(function.instruction(&instruction).instruction(&Instruction::End));
        };
        add(&mut section, &mut code, Instruction::Call(3));
        add(&mut section, &mut code, Instruction::Call(2));
        add(&mut section, &mut code, Instruction::I32Const(7));
        section.function(1);
        // The number 7 in five bytes, as the linker writes it.
        code.raw(&[0, 0x41, 0x87, 0x80, 0x80, 0x80, 0, 0x0b]);
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: 2,
            maximum: None,
            shared: false,
        });
        let mut exports = ExportSection::new();
        exports.export("caller", ExportKind::Func, 0);
        exports.export("other", ExportKind::Func, 1);
        exports.export("seven", ExportKind::Func, 3);
        let mut elements = ElementSection::new();
        elements.active(
            None,
            &ConstExpr::i32_const(0),
            Elements::Functions((&[2, 3][..]).into()),
        );
        let mut module = Module::new();
        module
            .section(&types)
            .section(&section)
            .section(&tables)
            .section(&exports);
        module.section(&elements).section(&code);
        module.section(&wasm_encoder::CustomSection {
            name: "name".into(),
            data: (&[][..]).into(),
        });
        module.finish()
    }

    #[test]
    fn what_is_equal_is_there_once_and_found_by_all_its_names() {
        let tidy = tidied(&untidy()).unwrap();
        let mut seen = Vec::new();
        for payload in Parser::new(0).parse_all(&tidy) {
            match payload.unwrap() {
                Payload::TypeSection(types) => assert_eq!(types.count(), 1),
                Payload::FunctionSection(types) => {
                    let types: Vec<u32> = types.into_iter().map(Result::unwrap).collect();
                    assert_eq!(types, [0, 0]);
                }
                Payload::ExportSection(exports) => {
                    seen = exports.into_iter().map(|export| export.unwrap().index).collect();
                }
                Payload::ElementSection(elements) => {
                    for element in elements {
                        let wasmparser::ElementItems::Functions(items) = element.unwrap().items else {
                            panic!("functions")
                        };
                        let items: Vec<u32> = items.into_iter().map(Result::unwrap).collect();
                        // Each keeps its place in the table.
                        assert_eq!(items, [1, 1]);
                    }
                }
                Payload::CodeSectionEntry(body) if body.range().len() == 4 => {
                    assert!([&[0, 0x10, 1, 0x0b], &[0, 0x41, 7, 0x0b]].contains(&&body.as_bytes().try_into().unwrap()));
                }
                Payload::CodeSectionEntry(body) => panic!("{:?}", body.as_bytes()),
                Payload::CustomSection(section) => panic!("{}", section.name()),
                _ => {}
            }
        }
        assert_eq!(seen, [0, 0, 1]);
        assert_eq!(tidied(&tidy).unwrap(), tidy);
    }

    #[test]
    fn what_is_no_wasm_is_refused() {
        assert!(tidied(b"nothing").is_err());
        assert_eq!(tidied(b"\0asm\x01\0\0\0").unwrap(), b"\0asm\x01\0\0\0");
    }
}
