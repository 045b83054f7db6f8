//! Serves a folder on loopback as a good static host would: the production headers, the right types, gzip, `ETag`s.

use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use flate2::Compression;
use flate2::write::GzEncoder;
use tiny_http::{Header, Method, Request, Response};

use crate::app::digest;
use crate::failure::Failure;
use crate::headers;

/// The port when none is asked for.
const PORT: u16 = 8080;

/// How many ports after [`PORT`] are tried before giving up.
const NEXT_PORTS: u16 = 100;

/// Threads that answer; a browser opens six connections to a host.
const THREADS: usize = 8;

/// What is sent for one file.
struct Served {
    modified: Option<SystemTime>,
    length: u64,
    etag: String,
    plain: Vec<u8>,
    /// Only where it is smaller.
    gzip: Option<Vec<u8>>,
}

/// A server that listens, with the folder that it serves.
pub struct Server {
    http: Arc<tiny_http::Server>,
    root: PathBuf,
    port: u16,
    files: Mutex<HashMap<PathBuf, Arc<Served>>>,
}

impl Server {
    /// Listens on 127.0.0.1: at `port`, or without one at 8080 or the next that is free.
    pub fn open(root: &Path, port: Option<u16>) -> Result<Server, Failure> {
        let root = fs::canonicalize(root).map_err(|source| Failure::file(root, source))?;
        let listener = match port {
            Some(port) => TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
                Failure::Missing(format!(
                    "Port {port} cannot be used ({error}): choose another with --port, or none."
                ))
            })?,
            None => (PORT..=PORT + NEXT_PORTS)
                .find_map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok())
                .ok_or_else(|| Failure::Missing(format!("No port from {PORT} on is free: name one with --port.")))?,
        };
        Server::on(listener, root)
    }

    /// Listens on any free port: for tests that run beside others.
    pub fn open_anywhere(root: &Path) -> Result<Server, Failure> {
        let root = fs::canonicalize(root).map_err(|source| Failure::file(root, source))?;
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|source| Failure::file("127.0.0.1", source))?;
        Server::on(listener, root)
    }

    fn on(listener: TcpListener, root: PathBuf) -> Result<Server, Failure> {
        let refused = |what: &dyn std::fmt::Display| Failure::Missing(format!("The server cannot start: {what}."));
        let port = listener.local_addr().map_err(|error| refused(&error))?.port();
        let http = tiny_http::Server::from_listener(listener, None).map_err(|error| refused(&error))?;
        Ok(Server {
            http: Arc::new(http),
            root,
            port,
            files: Mutex::default(),
        })
    }

    /// Where the app is, with a word about the port if it is not the usual one.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until the process ends or [`Server::stop`] is called.
    pub fn serve(&self) {
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    while let Ok(request) = self.http.recv() {
                        self.answer(request);
                    }
                });
            }
        });
    }

    /// Makes [`Server::serve`] return.
    pub fn stop(&self) {
        for _ in 0..THREADS {
            self.http.unblock();
        }
    }

    fn answer(&self, request: Request) {
        let head = *request.method() == Method::Head;
        let response = if !head && *request.method() != Method::Get {
            problem(405, "only GET and HEAD").with_header(header("Allow", "GET, HEAD"))
        } else {
            match self.file(request.url()) {
                None => problem(404, "there is no such file"),
                Some((name, file)) => reply(&request, &name, &file),
            }
        };
        // A browser that has gone away is not our trouble.
        let _ = request.respond(response);
    }

    /// The file that a request's address names, with its path relative to the root.
    fn file(&self, url: &str) -> Option<(String, Arc<Served>)> {
        let name = relative_path(url)?;
        let mut path = self.root.join(&name);
        let mut name = name;
        if path.is_dir() {
            path.push("index.html");
            name = if name.is_empty() {
                "index.html".to_owned()
            } else {
                format!("{name}/index.html")
            };
        }
        // A link that leads out of the folder is refused as well as `..`.
        let path = fs::canonicalize(path)
            .ok()
            .filter(|path| path.starts_with(&self.root))?;
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let known = self.files.lock().ok()?.get(&path).cloned();
        if let Some(file) = known
            && file.modified == metadata.modified().ok()
            && file.length == metadata.len()
        {
            return Some((name, file));
        }
        let plain = fs::read(&path).ok()?;
        let file = Arc::new(Served {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            etag: format!("\"{}\"", &digest(&plain)[..32]),
            gzip: gzip(&plain),
            plain,
        });
        self.files.lock().ok()?.insert(path, file.clone());
        Some((name, file))
    }
}

type Answer = Response<Box<dyn Read + Send>>;

fn reply(request: &Request, name: &str, file: &Served) -> Answer {
    let asked = |field: &'static str| {
        let fields = request.headers().iter().filter(move |header| header.field.equiv(field));
        fields.map(|header| header.value.as_str()).collect::<Vec<_>>().join(",")
    };
    let compressed = file.gzip.as_ref().filter(|_| accepts_gzip(&asked("Accept-Encoding")));
    let unchanged = asked("If-None-Match")
        .split(',')
        .any(|tag| tag.trim().trim_start_matches("W/") == file.etag);
    let body = if unchanged {
        Vec::new()
    } else {
        compressed.unwrap_or(&file.plain).clone()
    };
    let mut response = answer(if unchanged { 304 } else { 200 }, body);
    response.add_header(header("Content-Type", headers::media_type(name)));
    response.add_header(header("Cache-Control", headers::cache_control(name)));
    response.add_header(header("ETag", &file.etag));
    if file.gzip.is_some() {
        response.add_header(header("Vary", "Accept-Encoding"));
    }
    if compressed.is_some() && !unchanged {
        response.add_header(header("Content-Encoding", "gzip"));
    }
    response
}

fn problem(status: u16, text: &str) -> Answer {
    answer(status, format!("{text}\n").into_bytes()).with_header(header("Content-Type", "text/plain; charset=utf-8"))
}

fn answer(status: u16, body: Vec<u8>) -> Answer {
    let length = body.len();
    let body: Box<dyn Read + Send> = Box::new(std::io::Cursor::new(body));
    let always = headers::ALWAYS
        .iter()
        .map(|(name, value)| header(name, value))
        .collect();
    // A known length, always: tiny_http would send large files in chunks, and the browser could not tell a whole file
    // from half of one.
    Response::new(status.into(), always, body, Some(length), None).with_chunked_threshold(usize::MAX)
}

fn header(name: &str, value: &str) -> Header {
    // Both are our own text, or hexadecimal digits: always ASCII.
    Header::from_bytes(name, value).unwrap_or_else(|()| unreachable!("{name} is not ASCII"))
}

/// The file's path below the root that an address asks for; `None` for one that would lead anywhere else.
fn relative_path(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = percent_decoded(path)?;
    let normal = Path::new(&path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let plain = !path.contains(['\\', '\0', ':']);
    (normal && plain).then(|| path.trim_end_matches('/').to_owned())
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(decoded).ok()
}

fn accepts_gzip(accept_encoding: &str) -> bool {
    accept_encoding.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        parts.next() == Some("gzip") && !parts.any(|part| part == "q=0")
    })
}

/// `None` where gzip would not make it smaller.
fn gzip(plain: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(plain).ok()?;
    encoder
        .finish()
        .ok()
        .filter(|compressed| compressed.len() < plain.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpStream;

    /// Sends one request as it is and returns the head and the body of the answer.
    fn ask(port: u16, request: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        write!(stream, "{request}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        (
            String::from_utf8(answer[..end].to_vec()).unwrap(),
            answer[end + 4..].to_vec(),
        )
    }

    fn with_server(test: impl FnOnce(u16)) {
        let folder = std::env::temp_dir().join(format!("kibitz-server-{:?}", std::thread::current().id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("engine/19.0.0")).unwrap();
        fs::write(folder.join("index.html"), "<p>".repeat(1000)).unwrap();
        fs::write(folder.join("engine/19.0.0/engine.wasm"), vec![7; 100_000]).unwrap();
        fs::write(folder.parent().unwrap().join("kibitz-outside.txt"), "outside").unwrap();
        let server = Server::open_anywhere(&folder).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| server.serve());
            // The server must stop whatever the test finds, or the scope would wait for ever.
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(server.port)));
            server.stop();
            found.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        });
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn sends_files_with_all_headers() {
        with_server(|port| {
            let (head, body) = ask(port, "GET / HTTP/1.1");
            assert!(head.starts_with("HTTP/1.1 200"), "{head}");
            assert_eq!(body, "<p>".repeat(1000).into_bytes());
            for (name, value) in headers::ALWAYS {
                assert!(head.contains(&format!("{name}: {value}\r\n")), "{name} in {head}");
            }
            assert!(head.contains("Cache-Control: no-cache"), "{head}");
            let (head, body) = ask(port, "GET /engine/19.0.0/engine.wasm?x=1 HTTP/1.1");
            assert!(head.contains("Content-Type: application/wasm"), "{head}");
            assert!(head.contains("immutable"), "{head}");
            assert!(head.contains("Content-Length: 100000"), "{head}");
            assert_eq!(body.len(), 100_000);
        });
    }

    #[test]
    fn compresses_for_those_who_ask_and_knows_what_they_have() {
        with_server(|port| {
            let (head, body) = ask(port, "GET /index.html HTTP/1.1\r\nAccept-Encoding: br, gzip");
            assert!(head.contains("Content-Encoding: gzip"), "{head}");
            let mut plain = String::new();
            flate2::read::GzDecoder::new(body.as_slice())
                .read_to_string(&mut plain)
                .unwrap();
            assert_eq!(plain, "<p>".repeat(1000));
            let etag = head.lines().find_map(|line| line.strip_prefix("ETag: ")).unwrap();
            let (head, body) = ask(port, &format!("GET / HTTP/1.1\r\nIf-None-Match: {etag}"));
            assert!(head.starts_with("HTTP/1.1 304") && body.is_empty(), "{head}");
            let (head, body) = ask(port, "HEAD / HTTP/1.1");
            assert!(head.starts_with("HTTP/1.1 200") && body.is_empty(), "{head}");
        });
    }

    #[test]
    fn refuses_what_is_outside_and_what_would_change_anything() {
        with_server(|port| {
            for path in [
                "/../kibitz-outside.txt",
                "/%2e%2e/kibitz-outside.txt",
                "/engine/../../kibitz-outside.txt",
                "/..%5ckibitz-outside.txt",
                "//etc/passwd",
                "/%00",
                "/%zz",
                "/nothing",
                "/engine",
            ] {
                let (head, _) = ask(port, &format!("GET {path} HTTP/1.1"));
                assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
            }
            let (head, _) = ask(port, "DELETE /index.html HTTP/1.1");
            assert!(head.starts_with("HTTP/1.1 405"), "{head}");
        });
    }
}
