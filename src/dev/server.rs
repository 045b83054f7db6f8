//! Serves a folder on loopback as a good static host would: the production headers, the right types, `ETag`s, and the compressed
//! forms that the build left beside the files.

use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use crate::compressed::{self, CODINGS};
use crate::failure::Failure;
use crate::files::digest;
use crate::headers;

/// The port when none is asked for.
const PORT: u16 = 8080;

/// How many ports after [`PORT`] are tried before giving up.
const NEXT_PORTS: u16 = 100;

/// The longest head of a request, in bytes; browsers send less than a quarter of it.
const LONGEST_HEAD: usize = 16 * 1024;

/// How long a connection may take over a request, or over nothing, before it is closed.
const IDLE: Duration = Duration::from_secs(60);

/// How long an answer may wait for its reader before the connection is closed.
const UNREAD: Duration = Duration::from_secs(30);

/// Connections at a time; a browser opens six. Each has a thread of its own.
const CONNECTIONS: usize = 128;

/// The pause after a connection that the system could not give us: it may be out of descriptors for a moment.
const RECOVERY: Duration = Duration::from_millis(50);

/// Names of this machine, as a page's address may have them. A page elsewhere whose name was made to lead here is refused.
const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// What is sent for one file.
struct Served {
    modified: Option<SystemTime>,
    length: u64,
    etag: String,
    plain: Vec<u8>,
    /// Its compressed forms by their coding's name, best first.
    forms: Vec<(&'static str, Vec<u8>)>,
}

/// A server that listens, with the folder that it serves.
pub struct Server {
    listener: TcpListener,
    folder: Arc<Folder>,
    port: u16,
    stopped: AtomicBool,
    /// Begins a thread for a connection; the system may have none.
    begin: fn(Work) -> std::io::Result<()>,
}

/// What a connection's thread does.
type Work = Box<dyn FnOnce() + Send>;

fn begin_thread(work: Work) -> std::io::Result<()> {
    std::thread::Builder::new().spawn(work).map(drop)
}

/// What every connection needs.
struct Folder {
    root: PathBuf,
    files: Mutex<HashMap<PathBuf, Arc<Served>>>,
    connections: AtomicUsize,
    /// See [`UNREAD`].
    unread: Duration,
}

impl Server {
    /// Listens on 127.0.0.1: at `port`, or without one at 8080 or the next that is free.
    pub fn open(root: &Path, port: Option<u16>) -> Result<Server, Failure> {
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
        Server::on(listener, root, UNREAD)
    }

    /// Listens on any free port: for tests that run beside others.
    pub fn open_anywhere(root: &Path) -> Result<Server, Failure> {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|source| Failure::file("127.0.0.1", source))?;
        Server::on(listener, root, UNREAD)
    }

    fn on(listener: TcpListener, root: &Path, unread: Duration) -> Result<Server, Failure> {
        let root = fs::canonicalize(root).map_err(|source| Failure::file(root, source))?;
        let port = listener
            .local_addr()
            .map_err(|source| Failure::file("127.0.0.1", source))?
            .port();
        let folder = Arc::new(Folder {
            root,
            files: Mutex::default(),
            connections: AtomicUsize::new(0),
            unread,
        });
        Ok(Server {
            listener,
            folder,
            port,
            stopped: AtomicBool::new(false),
            begin: begin_thread,
        })
    }

    /// Where the app is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Whether another port than the usual one had to be taken.
    pub fn moved(&self) -> bool {
        self.port != PORT
    }

    /// Answers until the process ends or [`Server::stop`] is called.
    pub fn serve(&self) {
        for stream in self.listener.incoming() {
            if self.stopped.load(Ordering::Relaxed) {
                return;
            }
            // A connection that broke before we had it is the browser's to open again.
            let Ok(stream) = stream else {
                std::thread::sleep(RECOVERY);
                continue;
            };
            // One too many is closed at once: the browser tries again.
            let Some(visit) = Visit::begin(&self.folder) else {
                continue;
            };
            // A browser that goes away in the middle of an answer is no trouble of ours; and where the system has no thread
            // for a connection, it is closed like one too many.
            drop((self.begin)(Box::new(move || drop(visit.folder.converse(stream)))));
        }
    }

    /// Makes [`Server::serve`] return; connections that are open go on until they are idle.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Wakes the loop; if the listener is gone, so is the loop.
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
    }
}

/// A connection's place among those at a time; dropped with it.
struct Visit {
    folder: Arc<Folder>,
}

impl Visit {
    /// `None` where all places are taken.
    fn begin(folder: &Arc<Folder>) -> Option<Visit> {
        let visit = Visit {
            folder: Arc::clone(folder),
        };
        (folder.connections.fetch_add(1, Ordering::Relaxed) < CONNECTIONS).then_some(visit)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.folder.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What we need of a request's head.
#[derive(Debug, Default, PartialEq)]
struct Request {
    method: String,
    url: String,
    host: String,
    accept_encoding: String,
    if_none_match: String,
    /// Whether the connection ends after the answer.
    last: bool,
}

enum Head {
    Whole(Request, usize),
    Partial,
    Broken,
}

impl Request {
    /// Reads the head at the beginning of `bytes`, and how long it is.
    fn read(bytes: &[u8]) -> Head {
        let mut fields = [httparse::EMPTY_HEADER; 100];
        let mut request = httparse::Request::new(&mut fields);
        let length = match request.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if bytes.len() < LONGEST_HEAD => return Head::Partial,
            Ok(httparse::Status::Partial) | Err(_) => return Head::Broken,
        };
        let field = |name: &str| {
            let fields = request
                .headers
                .iter()
                .filter(|field| field.name.eq_ignore_ascii_case(name));
            fields
                .map(|field| String::from_utf8_lossy(field.value))
                .collect::<Vec<_>>()
                .join(",")
        };
        let read = Request {
            method: request.method.unwrap_or_default().to_owned(),
            url: request.path.unwrap_or_default().to_owned(),
            host: field("host"),
            accept_encoding: field("accept-encoding"),
            if_none_match: field("if-none-match"),
            // What follows a body we will not read could be taken for another request.
            last: request.version == Some(0)
                || field("connection").eq_ignore_ascii_case("close")
                || !field("transfer-encoding").is_empty()
                || !matches!(field("content-length").as_str(), "" | "0"),
        };
        Head::Whole(read, length)
    }
}

impl Folder {
    /// Answers the requests of one connection, one after the other.
    fn converse(&self, mut stream: TcpStream) -> std::io::Result<()> {
        stream.set_read_timeout(Some(IDLE))?;
        stream.set_write_timeout(Some(self.unread))?;
        stream.set_nodelay(true)?;
        let mut received = Vec::new();
        let mut chunk = [0; 4096];
        let mut since = Instant::now();
        loop {
            match Request::read(&received) {
                Head::Whole(request, length) => {
                    received.drain(..length);
                    stream.write_all(&self.answer(&request))?;
                    if request.last {
                        return Ok(());
                    }
                    since = Instant::now();
                }
                // A byte now and then is silence too.
                Head::Partial if since.elapsed() > IDLE => return Ok(()),
                Head::Partial => match stream.read(&mut chunk)? {
                    0 => return Ok(()),
                    count => received.extend_from_slice(&chunk[..count]),
                },
                Head::Broken => {
                    let last = Request {
                        last: true,
                        ..Request::default()
                    };
                    return stream.write_all(&problem(&last, "400 Bad Request", "this is no request"));
                }
            }
        }
    }

    fn answer(&self, request: &Request) -> Vec<u8> {
        if !is_this_machine(&request.host) {
            return problem(
                request,
                "421 Misdirected Request",
                "this server is for 127.0.0.1 and localhost",
            );
        }
        if !matches!(request.method.as_str(), "GET" | "HEAD") {
            return problem(request, "405 Method Not Allowed", "only GET and HEAD");
        }
        match self.file(&request.url) {
            None => problem(request, "404 Not Found", "there is no such file"),
            Some((name, file)) => reply(request, &name, &file),
        }
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
            forms: forms(&path),
            plain,
        });
        self.files.lock().ok()?.insert(path, file.clone());
        Some((name, file))
    }
}

fn reply(request: &Request, name: &str, file: &Served) -> Vec<u8> {
    let compressed = file
        .forms
        .iter()
        .find(|(coding, _)| accepts(&request.accept_encoding, coding));
    let unchanged = request
        .if_none_match
        .split(',')
        .any(|tag| tag.trim().trim_start_matches("W/") == file.etag);
    let mut fields = vec![
        ("Content-Type", headers::media_type(name)),
        ("Cache-Control", headers::cache_control(name)),
        ("ETag", &file.etag),
    ];
    if !file.forms.is_empty() {
        fields.push(("Vary", "Accept-Encoding"));
    }
    if unchanged {
        return message(request, "304 Not Modified", &fields, &[]);
    }
    if let Some((coding, _)) = compressed {
        fields.push(("Content-Encoding", coding));
    }
    message(
        request,
        "200 OK",
        &fields,
        compressed.map_or(&file.plain, |(_, form)| form),
    )
}

fn problem(request: &Request, status: &str, text: &str) -> Vec<u8> {
    let fields = [("Content-Type", "text/plain; charset=utf-8"), ("Allow", "GET, HEAD")];
    message(request, status, &fields, format!("{text}\n").as_bytes())
}

/// A whole answer; to a HEAD request without the body.
fn message(request: &Request, status: &str, fields: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let length = body.len().to_string();
    let connection = if request.last { "close" } else { "keep-alive" };
    let about_it = [("Content-Length", length.as_str()), ("Connection", connection)];
    let fields = headers::ALWAYS.iter().chain(fields).chain(&about_it);
    let fields: String = fields.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let mut message = format!("HTTP/1.1 {status}\r\n{fields}\r\n").into_bytes();
    if request.method != "HEAD" {
        message.extend_from_slice(body);
    }
    message
}

/// Whether a request's `Host` is a name of this machine, with or without a port.
fn is_this_machine(host: &str) -> bool {
    let is_port =
        |rest: &str| rest.is_empty() || rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    let host = host.to_ascii_lowercase();
    HOSTS.iter().any(|name| host.strip_prefix(name).is_some_and(is_port))
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

fn accepts(accept_encoding: &str, coding: &str) -> bool {
    accept_encoding.split(',').any(|accepted| {
        let mut parts = accepted.split(';').map(str::trim);
        parts.next() == Some(coding) && !parts.any(|part| part == "q=0")
    })
}

/// The compressed forms of a file that are there and no older than the file.
fn forms(path: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    CODINGS
        .iter()
        .filter_map(|(ending, coding)| {
            let form = compressed::form(path, ending);
            (modified(&form)? >= modified(path)?).then_some(())?;
            Some((*coding, fs::read(form).ok()?))
        })
        .collect()
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
        with_server_on(
            |folder| Server::open_anywhere(folder).unwrap(),
            |server| test(server.port),
        );
    }

    /// The server that `open` makes of a folder, while it serves.
    fn with_server_on(open: impl FnOnce(&Path) -> Server, test: impl FnOnce(&Server)) {
        // Tests run as threads of one process or as processes of their own.
        let own = format!("kibitz-server-{}-{:?}", std::process::id(), std::thread::current().id());
        let root = std::env::temp_dir().join(own);
        let folder = root.join("dist");
        fs::create_dir_all(folder.join("engine/19.0.0")).unwrap();
        fs::write(folder.join("index.html"), "<p>".repeat(1000)).unwrap();
        fs::write(folder.join("engine/19.0.0/engine.wasm"), vec![7; 100_000]).unwrap();
        for (name, text) in [("app.js", "plain"), ("app.js.br", "br"), ("app.js.gz", "gzip")] {
            fs::write(folder.join(name), text).unwrap();
        }
        fs::write(root.join("kibitz-outside.txt"), "outside").unwrap();
        let server = open(&folder);
        std::thread::scope(|scope| {
            scope.spawn(|| server.serve());
            // The server must stop whatever the test finds, or the scope would wait forever.
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(&server)));
            server.stop();
            found.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        });
        fs::remove_dir_all(root).unwrap();
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
    fn sends_the_compressed_form_to_those_who_ask_and_knows_what_they_have() {
        with_server(|port| {
            for (accepted, coding) in [("gzip, br", "br"), ("gzip, br;q=0", "gzip"), ("gzip", "gzip")] {
                let (head, body) = ask(port, &format!("GET /app.js HTTP/1.1\r\nAccept-Encoding: {accepted}"));
                assert!(head.contains(&format!("Content-Encoding: {coding}\r\n")), "{head}");
                assert!(head.contains("Vary: Accept-Encoding"), "{head}");
                assert_eq!(body, coding.as_bytes());
            }
            let (head, body) = ask(port, "GET /app.js HTTP/1.1\r\nAccept-Encoding: identity");
            assert!(!head.contains("Content-Encoding"), "{head}");
            assert_eq!(body, b"plain");
            let etag = head.lines().find_map(|line| line.strip_prefix("ETag: ")).unwrap();
            let (head, body) = ask(port, &format!("GET /app.js HTTP/1.1\r\nIf-None-Match: {etag}"));
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

    #[test]
    fn connections_do_not_wait_for_each_other() {
        with_server(|port| {
            let open = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
            let mut streams: Vec<TcpStream> = (0..32).map(|_| open()).collect();
            // The last one is answered while all others stay open and say nothing.
            let last = streams.last_mut().unwrap();
            last.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            for _ in 0..2 {
                last.write_all(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .unwrap();
                let mut answer = [0; 4096];
                let count = last.read(&mut answer).unwrap();
                assert!(answer[..count].starts_with(b"HTTP/1.1 404"));
            }
        });
    }

    #[test]
    fn connections_beyond_the_most_are_closed_and_their_places_come_back() {
        with_server(|port| {
            let open = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
            let streams: Vec<TcpStream> = (0..CONNECTIONS).map(|_| open()).collect();
            let mut one_too_many = open();
            one_too_many.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            let mut answer = Vec::new();
            // Closed, whether the system says so by an end or by a reset.
            assert!(one_too_many.read_to_end(&mut answer).is_err() || answer.is_empty());
            drop(streams);
            // Each thread gives its place back when it sees the end of its connection.
            let begun = Instant::now();
            loop {
                let mut stream = open();
                let asked = write!(
                    stream,
                    "GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"
                );
                let mut answer = Vec::new();
                if asked.is_ok() && stream.read_to_end(&mut answer).is_ok() && answer.starts_with(b"HTTP/1.1 200") {
                    break;
                }
                assert!(begun.elapsed() < Duration::from_secs(30), "no place came back");
            }
        });
    }

    /// Asks until the answer comes: what was taken away is given back in a moment.
    fn is_answered_again(port: u16) {
        let begun = Instant::now();
        loop {
            let answered = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).and_then(|mut stream| {
                stream.set_read_timeout(Some(Duration::from_secs(5)))?;
                write!(
                    stream,
                    "GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"
                )?;
                let mut answer = Vec::new();
                stream.read_to_end(&mut answer)?;
                Ok(answer.starts_with(b"HTTP/1.1 200"))
            });
            if answered.unwrap_or(false) {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no answer came");
            std::thread::sleep(RECOVERY);
        }
    }

    #[test]
    fn who_does_not_read_the_answer_loses_the_connection() {
        let impatient = |folder: &Path| {
            // More than the system holds for a reader.
            fs::write(folder.join("large.bin"), vec![7; 32 << 20]).unwrap();
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            Server::on(listener, folder, Duration::from_millis(100)).unwrap()
        };
        with_server_on(impatient, |server| {
            let connections = || server.folder.connections.load(Ordering::Relaxed);
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
            write!(stream, "GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            let begun = Instant::now();
            let mut was_there = false;
            while connections() > 0 || !was_there {
                was_there |= connections() > 0;
                assert!(
                    begun.elapsed() < Duration::from_secs(60),
                    "the connection is still there"
                );
                std::thread::yield_now();
            }
            // It was cut off in the middle.
            let mut answer = Vec::new();
            let read = stream.read_to_end(&mut answer);
            assert!(read.is_err() || answer.len() < 32 << 20, "{} bytes", answer.len());
            is_answered_again(server.port);
        });
    }

    #[test]
    fn without_threads_connections_are_closed_until_there_are_some() {
        static REFUSED: AtomicUsize = AtomicUsize::new(0);
        let poor = |folder: &Path| Server {
            begin: |work| match REFUSED.fetch_add(1, Ordering::Relaxed) {
                0..3 => Err(std::io::ErrorKind::WouldBlock.into()),
                _ => begin_thread(work),
            },
            ..Server::open_anywhere(folder).unwrap()
        };
        with_server_on(poor, |server| {
            for _ in 0..3 {
                let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
                stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
                let mut answer = Vec::new();
                assert!(stream.read_to_end(&mut answer).is_err() || answer.is_empty());
            }
            is_answered_again(server.port);
            assert!(REFUSED.load(Ordering::Relaxed) > 3);
        });
    }

    /// Where the child below finds the folder to serve.
    const CHILD: &str = "KIBITZ_SERVER_TEST_FOLDER";
    /// How it says at which port.
    const PORT_IS: &str = "kibitz-port=";

    #[test]
    #[ignore = "the child of the test below"]
    fn child_serves() {
        if let Some(folder) = std::env::var_os(CHILD) {
            let server = Server::open_anywhere(Path::new(&folder)).unwrap();
            println!("{PORT_IS}{}", server.port);
            server.serve();
        }
    }

    #[cfg(unix)]
    #[test]
    fn out_of_descriptors_the_server_waits_and_goes_on() {
        use std::io::{BufRead, BufReader};
        use std::process::{Command, Stdio};

        with_server_on(
            |folder| Server::open_anywhere(folder).unwrap(),
            |server| {
                let mut child = Command::new("sh")
                    .args([
                        "-c",
                        "ulimit -n 24 && exec \"$0\" server::tests::child_serves --exact --ignored --nocapture",
                    ])
                    .arg(std::env::current_exe().unwrap())
                    .env(CHILD, &server.folder.root)
                    .stdout(Stdio::piped())
                    .spawn()
                    .unwrap();
                let lines = BufReader::new(child.stdout.take().unwrap()).lines();
                let port = lines
                    .map_while(Result::ok)
                    .find_map(|line| line.split(PORT_IS).nth(1)?.trim().parse::<u16>().ok());
                let found = std::panic::catch_unwind(|| {
                    let port = port.expect("the child says its port");
                    // More than it can have; those beyond wait in the system's queue.
                    let all: Vec<TcpStream> = (0..40)
                        .map(|_| TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap())
                        .collect();
                    drop(all);
                    is_answered_again(port);
                });
                child.kill().unwrap();
                child.wait().unwrap();
                found.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            },
        );
    }

    #[test]
    fn a_name_that_was_made_to_lead_here_is_refused() {
        with_server(|port| {
            for host in [
                "evil.example",
                "localhost.evil.example",
                "127.0.0.1.evil.example:80",
                "127.0.0.10",
                "localhost:x",
            ] {
                let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
                write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
                let mut answer = String::new();
                stream.read_to_string(&mut answer).unwrap();
                assert!(
                    answer.starts_with("HTTP/1.1 421") && !answer.contains("<p>"),
                    "{host}: {answer}"
                );
            }
        });
        assert!(
            ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080"]
                .iter()
                .all(|host| is_this_machine(host))
        );
        assert!(!is_this_machine(""));
    }

    #[test]
    fn what_is_no_request_ends_the_connection() {
        with_server(|port| {
            let (head, _) = ask(port, "nonsense");
            assert!(head.starts_with("HTTP/1.1 400"), "{head}");
        });
        let endless = format!("GET /{}", "a".repeat(LONGEST_HEAD));
        assert!(matches!(Request::read(endless.as_bytes()), Head::Broken));
        assert!(matches!(Request::read(&endless.as_bytes()[..1000]), Head::Partial));
    }
}
