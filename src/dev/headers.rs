//! The headers that a host must send with the app, in one place: the server sends them, `dist/_headers` carries them to
//! static hosts that read such a file, and the README shows them for the others (a test compares).

/// What scripts, styles and connections the page may use. No `unsafe-inline`, no `unsafe-eval`.
///
/// - `wasm-unsafe-eval`: compiling WebAssembly, ours and Stockfish's.
/// - `style-src-attr`: chessground gives its drawing layer the one attribute `style="color-scheme:light only"`; the hash
///   allows that text and no other.
/// - `img-src data:`: chessground's pieces are pictures inside its style sheet.
/// - `connect-src`: the user may name any language model's endpoint, on the web or on this machine; a study may name where
///   its raters' answers are sent.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
     style-src 'self'; style-src-attr 'unsafe-hashes' 'sha256-SyXRxMCl6H7Kgy9uTmu1UZqVBsRmMBF4sHRiTO3FQc0='; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; \
     manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Sent with every file.
pub const ALWAYS: [(&str, &str); 6] = [
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    (
        "Permissions-Policy",
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// For a file whose name changes with its contents.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// For every other file: kept, but asked about each time.
pub const ASK_AGAIN: &str = "no-cache";

/// How long the file at `path` (relative to `dist/`) may be kept.
pub fn cache_control(path: &str) -> &'static str {
    if has_version(path) { IMMUTABLE } else { ASK_AGAIN }
}

/// Whether a path has a hash or a version in it: `kibitz-0123456789abcdef.css`, `engine/19.0.0/…`, `net/0123456789abcdef/…`.
/// The hash in wasm-bindgen's `snippets/kibitz-0123456789abcdef/…` is of the crate's name, not of the contents.
fn has_version(path: &str) -> bool {
    if path.starts_with("snippets/") {
        return false;
    }
    path.split('/').any(|part| {
        let dotted = part.split('.').count() == 3 && part.split('.').all(is_number);
        let hashed = part
            .split(['-', '_', '.'])
            .any(|word| (15..=64).contains(&word.len()) && is_hexadecimal(word));
        dotted || hashed
    })
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_hexadecimal(word: &str) -> bool {
    word.bytes()
        .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// The type of a file by its ending. WebAssembly and workers do not start under a wrong one.
pub fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "gz" => "application/gzip",
        "txt" | "LICENSE" => "text/plain; charset=utf-8",
        path if path.ends_with("LICENSE") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The text of `dist/_headers`, which Netlify, Cloudflare Pages and others read.
pub fn file_for_static_hosts() -> String {
    let line = |(name, value): &(&str, &str)| format!("  {name}: {value}\n");
    let always: String = ALWAYS.iter().map(line).collect();
    let kept = [
        "/app/*",
        "/kibitz-*",
        "/engine/*",
        "/labels/*",
        "/board/*",
        "/net/*",
        "/networks/*",
    ];
    let kept: String = kept
        .iter()
        .map(|path| format!("\n{path}\n  Cache-Control: {IMMUTABLE}\n"))
        .collect();
    let asked = ["/", "/index.html", "/boot.js", "/sw.js", "/manifest.webmanifest"];
    let asked: String = asked
        .iter()
        .map(|path| format!("\n{path}\n  Cache-Control: {ASK_AGAIN}\n"))
        .collect();
    format!("/*\n{always}{kept}{asked}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_change_with_their_contents_are_kept() {
        for path in [
            "app/0123456789abcdef/kibitz_bg.wasm",
            "app/0123456789abcdef/snippets/kibitz-0123456789abcdef/inline0.js",
            "kibitz-7c3a9e0b51d2f486.css",
            "engine/19.0.0/stockfish-19-lite-single.wasm",
            "net/0123456789abcdef/net_worker_loader.js",
        ] {
            assert_eq!(cache_control(path), IMMUTABLE, "{path}");
        }
        for path in [
            "index.html",
            "sw.js",
            "boot.js",
            "net_worker_loader.js",
            "icons/kibitz-512.png",
            "a/1.2/b.js",
        ] {
            assert_eq!(cache_control(path), ASK_AGAIN, "{path}");
        }
    }

    #[test]
    fn workers_and_wasm_get_the_types_that_browsers_insist_on() {
        assert_eq!(media_type("kibitz-1_bg.wasm"), "application/wasm");
        assert_eq!(media_type("sw.js"), "text/javascript; charset=utf-8");
        assert_eq!(media_type("manifest.webmanifest"), "application/manifest+json");
        assert_eq!(media_type("board/10.4.1/LICENSE"), "text/plain; charset=utf-8");
        assert_eq!(media_type("networks/some.pb"), "application/octet-stream");
    }

    #[test]
    fn nothing_unsafe_is_allowed() {
        for word in ["'unsafe-inline'", "'unsafe-eval'", " *;"] {
            assert!(!CONTENT_SECURITY_POLICY.contains(word), "{word}");
        }
    }

    #[test]
    fn the_readme_shows_these_very_headers() {
        let readme = std::fs::read_to_string(format!("{}/README.md", crate::files::ROOT)).unwrap();
        for (name, value) in ALWAYS {
            assert!(
                readme.contains(&format!("{name} \"{value}\"")),
                "README.md lacks {name} \"{value}\""
            );
        }
    }
}
