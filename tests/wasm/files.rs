//! `browser::files`: what a user drops into the page.

use js_sys::{Array, Uint8Array};
use kibitz::browser::files::{self, ReadFileError};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::File;

fn file(name: &str, bytes: &[u8]) -> File {
    File::new_with_u8_array_sequence(&Array::of1(&Uint8Array::from(bytes)), name).unwrap()
}

#[wasm_bindgen_test]
async fn reads_a_file_whole() {
    let bytes = [0x1f, 0x8b, 0, 255, 10];
    let read = files::read(&file("net.pb.gz", &bytes), 5).await.unwrap();
    assert_eq!((read.name.as_str(), read.bytes.as_slice()), ("net.pb.gz", &bytes[..]));
}

#[wasm_bindgen_test]
async fn refuses_what_is_too_large_before_reading_it() {
    let refused = files::read(&file("film.mkv", &[0; 6]), 5).await.unwrap_err();
    assert_eq!(
        refused,
        ReadFileError::TooLarge {
            name: "film.mkv".into(),
            size: 6,
            limit: 5
        }
    );
}
