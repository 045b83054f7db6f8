//! `dist/`: what Trunk builds, and what we add to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sha2::{Digest, Sha256};

use crate::budgets;
use crate::commands::{capture, run};
use crate::compressed;
use crate::failure::Failure;
use crate::files::{address, files, hexadecimal, read, write};
use crate::headers;
use crate::kind::Kind;
use crate::precache;
use crate::program;
use crate::progress::Progress;
use crate::setup::Setup;
use crate::wasm_toolchain::{TARGET, TARGET_FOLDER};

/// How many steps [`build`] announces.
pub const STEPS: usize = 3;

/// Where the app is built.
pub const DIST: &str = "dist";

/// Everything that `dist/` is made from. What is not listed here does not cause a build.
const SOURCES: [&str; 10] = [
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
    "Trunk.toml",
    "index.html",
    "package-lock.json",
    "public",
    "style",
    "src",
    "build.rs",
];

/// Parts of `src` that are not in the app, except this command's own, which writes half of `dist/`.
const NOT_IN_THE_APP: [&str; 1] = ["src/bin/lab"];

/// What index.html has Trunk compile: the binary, and the words that choose its features.
pub const WASM: [(&str, &[&str]); 2] = [
    ("kibitz", &["--features=web"]),
    ("net_worker", &["--no-default-features", "--features=worker"]),
];

/// The files of the network's worker; wasm-bindgen names them after its binary and Trunk leaves their names alone.
const NET_WORKER: [&str; 3] = ["net_worker_loader.js", "net_worker.js", "net_worker_bg.wasm"];

/// Where index.html tells the page the commit that it was built from.
const COMMIT_META: &str = "<meta name=\"kibitz:commit\" content=\"\"";

/// Where index.html tells the page the worker's address.
const NET_WORKER_META: &str = "<meta name=\"kibitz:net-worker\" content=\"net_worker_loader.js\"";

/// Where the page's program is put, and how often the patterns in Trunk.toml name a file there.
const PROGRAM: &str = "app";
const PROGRAM_NAMED: usize = 5;

/// Where Trunk puts the default network and what belongs to it.
const NETWORKS: &str = "networks";

/// The app's Rust, compiled beside other work; Trunk then finds it done. What fails here fails again under Trunk, which
/// says so.
#[derive(Default)]
pub struct Compilation(Vec<Child>);

impl Compilation {
    /// Starts it, unless `dist/` is up to date. The two share a folder that cargo locks: one waits for the other.
    pub fn begin(setup: &Setup, kind: Kind, progress: &Progress) -> Compilation {
        if is_current(kind) {
            return Compilation::default();
        }
        progress.note("the app is compiled beside the next steps");
        let start = |(bin, features): &(&str, &[&str])| {
            let mut cargo = setup.program("cargo");
            cargo.args(["build", "--quiet", "--locked", "--target", TARGET, "--bin", bin]);
            cargo.args(*features);
            if kind == Kind::Release {
                cargo.arg("--release");
            }
            // Trunk's own run shows what the compiler has to say.
            cargo.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
        };
        Compilation(WASM.iter().filter_map(start).collect())
    }

    /// Waits until it is over, well or badly.
    pub fn wait(mut self) {
        for child in &mut self.0 {
            // One that cannot be waited for is left to Trunk's lock on the same folder.
            let _ = child.wait();
        }
        self.0.clear();
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Whether `dist/` was built from these very sources.
fn is_current(kind: Kind) -> bool {
    let same = |found| stamp_of(kind).is_ok_and(|now| now == found);
    Path::new(DIST).is_dir() && fs::read_to_string(stamp()).is_ok_and(same)
}

fn stamp() -> PathBuf {
    Path::new(TARGET_FOLDER).join("dist-stamp")
}

/// What a build leaves behind: its kind, its sources and what came of them.
fn stamp_of(kind: Kind) -> Result<String, Failure> {
    Ok(format!(
        "{} {} {}",
        kind.name(),
        sources()?,
        tree(&[PathBuf::from(DIST)])?
    ))
}

/// Builds `dist/`, unless it was built from these very sources before.
pub fn build(setup: &Setup, kind: Kind, compilation: Compilation, progress: &Progress) -> Result<(), Failure> {
    let dist = Path::new(DIST);
    progress.step(format!("the app, {} build", kind.name()));
    if is_current(kind) {
        progress.note("nothing changed since it was built");
        progress.step("the page's program, in parts");
        progress.note("nothing changed");
        progress.step("service worker, headers, compressed forms");
        progress.note("nothing changed");
        return Ok(());
    }
    compilation.wait();
    let mut trunk = setup.program("trunk");
    // What went wrong is in the compiler's messages; Trunk's own backtrace would bury them.
    trunk.arg("build").env("RUST_BACKTRACE", "0");
    if kind == Kind::Release {
        trunk.arg("--release");
    }
    run(&mut trunk)?;

    progress.step("the page's program, in parts");
    program::remove_whole(dist)?;
    program::write(setup, kind, &dist.join(PROGRAM))?;

    progress.step("service worker, headers, compressed forms");
    if kind == Kind::Release {
        // Before their folder gets its name, which is that of the contents.
        for script in files(&dist.join(PROGRAM))? {
            // The loader's indentation tells which part needs which files.
            if script.extension().is_some_and(|ending| ending == "js") && !script.ends_with(program::LOADER) {
                change(&script, bare_script)?;
            }
        }
    }
    version_program(dist)?;
    if kind == Kind::Release {
        let [loader, script, wasm] = NET_WORKER.map(|name| dist.join(name));
        change(&loader, bare_script)?;
        change(&script, bare_script)?;
        program::tidy(&wasm)?;
        program::shorten_imports(&script, &wasm)?;
    }
    version_net_worker(dist)?;
    version_networks(dist)?;
    name_commit(dist)?;
    if kind == Kind::Release {
        leave_comments_out(dist)?;
    }
    write(&dist.join("_headers"), &headers::file_for_static_hosts())?;
    let list = precache::write_service_worker(dist, Path::new("src/browser/service_worker.js"))?;
    progress.note(list);
    if kind == Kind::Release {
        compressed::write(dist)?;
        let weights = budgets::weigh(dist)?;
        for weight in &weights {
            progress.note(format!(
                "{}: {} kB, gzipped {}, with Brotli {}",
                weight.part,
                weight.plain / 1000,
                weight.gzip / 1000,
                weight.brotli / 1000
            ));
        }
        budgets::keep(&weights)?;
    }
    write(&stamp(), &stamp_of(kind)?)
}

/// Moves the page's program into a folder named by its contents, and tells the page where. Its parts find each other there.
fn version_program(dist: &Path) -> Result<(), Failure> {
    let folder = versioned(dist, PROGRAM)?;
    rewrite(dist, &format!("=\"{PROGRAM}/"), &format!("=\"{folder}/"), PROGRAM_NAMED)
}

/// Moves the network's worker into a folder named by its contents, so that a page and a worker of two versions can
/// never meet, and tells the page where.
fn version_net_worker(dist: &Path) -> Result<(), Failure> {
    let mut hash = Sha256::new();
    for name in NET_WORKER {
        hash.update(read(&dist.join(name))?);
    }
    let folder = format!("net/{}", &hexadecimal(&hash.finalize())[..16]);
    let place = dist.join(&folder);
    fs::create_dir_all(&place).map_err(|source| Failure::file(&place, source))?;
    for name in NET_WORKER {
        fs::rename(dist.join(name), place.join(name)).map_err(|source| Failure::file(dist.join(name), source))?;
    }
    let address = NET_WORKER_META.replace("net_worker_loader.js", &format!("{folder}/net_worker_loader.js"));
    rewrite(dist, NET_WORKER_META, &address, 1)
}

/// What is written for readers of the source is not sent to readers of the page: comments of index.html and boot.js.
fn leave_comments_out(dist: &Path) -> Result<(), Failure> {
    change(&dist.join("index.html"), bare_html)?;
    change(&dist.join("boot.js"), bare_script)
}

fn change(path: &Path, change: fn(&str) -> String) -> Result<(), Failure> {
    let text = fs::read_to_string(path).map_err(|source| Failure::file(path, source))?;
    write(path, &change(&text))
}

/// A page without comments, indentation and empty lines.
fn bare_html(page: &str) -> String {
    let mut bare = String::new();
    let mut rest = page;
    while let Some((before, comment)) = rest.split_once("<!--") {
        bare.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    bare.push_str(rest);
    joined(bare.lines())
}

/// A script without the lines that are comments.
fn bare_script(script: &str) -> String {
    let comment = |line: &str| ["//", "/*", "* ", "*/"].iter().any(|begins| line.starts_with(begins));
    joined(script.lines().filter(|line| !comment(line.trim_start())))
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let lines: Vec<&str> = lines.map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n") + "\n"
}

/// Tells the page which commit it was built from, with `+changes` where files differ from it: results that people keep name
/// it. Nothing is set where there is no Git.
fn name_commit(dist: &Path) -> Result<(), Failure> {
    let mut git = Command::new("git");
    git.args(["describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+changes"]);
    let commit = capture(&mut git).unwrap_or_default();
    rewrite(
        dist,
        COMMIT_META,
        &COMMIT_META.replace("\"\"", &format!("\"{}\"", commit.trim())),
        1,
    )
}

/// Does the same for the default network, its probes and the positions: probes belong to one network, and are of no use
/// to a page that got another.
fn version_networks(dist: &Path) -> Result<(), Failure> {
    let folder = versioned(dist, NETWORKS)?;
    for name in ["network", "probes", "positions"] {
        let meta = format!("<meta name=\"kibitz:{name}\" content=\"");
        rewrite(dist, &format!("{meta}{NETWORKS}/"), &format!("{meta}{folder}/"), 1)?;
    }
    Ok(())
}

/// Moves all that is in a folder of `dist/` into one inside of it that is named by the contents; returns its address.
fn versioned(dist: &Path, name: &str) -> Result<String, Failure> {
    let from = dist.join(name);
    let mut hash = Sha256::new();
    for path in files(&from)? {
        let contents = read(&path)?;
        hash.update(address(dist, &path).as_bytes());
        hash.update((contents.len() as u64).to_le_bytes());
        hash.update(contents);
    }
    let folder = format!("{name}/{}", &hexadecimal(&hash.finalize())[..16]);
    let aside = dist.join(format!("{name}-aside"));
    let moved = |from: &Path, to: &Path| fs::rename(from, to).map_err(|source| Failure::file(from, source));
    moved(&from, &aside)?;
    fs::create_dir_all(&from).map_err(|source| Failure::file(&from, source))?;
    moved(&aside, &dist.join(&folder))?;
    Ok(folder)
}

/// Replaces what must be in the built page so many times.
fn rewrite(dist: &Path, from: &str, to: &str, times: usize) -> Result<(), Failure> {
    let index = dist.join("index.html");
    let page = fs::read_to_string(&index).map_err(|source| Failure::file(&index, source))?;
    let found = page.matches(from).count();
    if found != times {
        return Err(Failure::Missing(format!(
            "index.html has {found} times, not {times}: {from}"
        )));
    }
    write(&index, &page.replace(from, to))
}

/// One digest over the paths and contents of all sources.
fn sources() -> Result<String, Failure> {
    tree(&SOURCES.map(PathBuf::from))
}

/// One digest over files, and over folders with all that is in them.
fn tree(roots: &[PathBuf]) -> Result<String, Failure> {
    let mut hash = Sha256::new();
    for root in roots.iter().filter(|root| root.exists()) {
        for path in files(root)? {
            if NOT_IN_THE_APP.iter().any(|prefix| path.starts_with(prefix)) {
                continue;
            }
            let contents = read(&path)?;
            let path = path.to_string_lossy();
            hash.update((path.len() as u64).to_le_bytes());
            hash.update(path.as_bytes());
            hash.update((contents.len() as u64).to_le_bytes());
            hash.update(contents);
        }
    }
    Ok(hexadecimal(&hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("kibitz-dev-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_digest_sees_contents_and_names() {
        let folder = folder("tree");
        fs::write(folder.join("a"), "1").unwrap();
        let first = tree(std::slice::from_ref(&folder)).unwrap();
        assert_eq!(first, tree(std::slice::from_ref(&folder)).unwrap());
        fs::write(folder.join("a"), "2").unwrap();
        let second = tree(std::slice::from_ref(&folder)).unwrap();
        assert_ne!(first, second);
        fs::rename(folder.join("a"), folder.join("b")).unwrap();
        assert_ne!(second, tree(std::slice::from_ref(&folder)).unwrap());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_compiled_ahead_is_what_trunk_asks_for() {
        let page = fs::read_to_string(format!("{}/index.html", crate::files::ROOT)).unwrap();
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for (bin, features) in WASM {
            let tag = page
                .split("<link")
                .find(|tag| tag.contains(&format!("data-bin=\"{bin}\"")))
                .unwrap();
            for feature in features {
                let (word, value) = feature
                    .trim_start_matches('-')
                    .split_once('=')
                    .unwrap_or((&feature[2..], ""));
                let attribute = format!("data-cargo-{word}");
                let wanted = if value.is_empty() {
                    attribute
                } else {
                    format!("{attribute}=\"{value}\"")
                };
                assert!(tag.contains(&wanted), "{wanted} is not in {tag}");
            }
        }
    }

    #[test]
    fn the_program_moves_with_all_that_it_needs_and_the_page_is_told() {
        let dist = folder("program");
        fs::create_dir_all(dist.join("app/snippets/kibitz-0")).unwrap();
        for name in ["kibitz.js", "kibitz_bg.wasm", "snippets/kibitz-0/journal.js"] {
            fs::write(dist.join("app").join(name), name).unwrap();
        }
        let trunk = fs::read_to_string(format!("{}/Trunk.toml", crate::files::ROOT)).unwrap();
        fs::write(dist.join("index.html"), trunk).unwrap();
        version_program(&dist).unwrap();
        let page = fs::read_to_string(dist.join("index.html")).unwrap();
        let script = page.split('"').find(|part| part.ends_with("kibitz.js")).unwrap();
        assert!(dist.join(script).is_file(), "{script}");
        assert_eq!(headers::cache_control(script), headers::IMMUTABLE);
        let place = dist.join(script).parent().unwrap().to_owned();
        assert!(place.join("snippets/kibitz-0/journal.js").is_file());
        assert!(!dist.join("app/kibitz.js").exists());
        fs::remove_dir_all(dist).unwrap();
    }

    #[test]
    fn comments_stay_at_home() {
        let page = "<head>\n  <!-- for\n readers -->\n  <meta name=\"a\">\n</head>\n";
        assert_eq!(bare_html(page), "<head>\n<meta name=\"a\">\n</head>\n");
        assert_eq!(
            bare_script("// why\nlet a = 1; // no\n  // more\n/** It\n * says\n */\n"),
            "let a = 1; // no\n"
        );
    }

    #[test]
    fn the_worker_moves_and_the_page_is_told() {
        let dist = folder("worker");
        for name in NET_WORKER {
            fs::write(dist.join(name), name).unwrap();
        }
        fs::write(dist.join("index.html"), format!("<head>{NET_WORKER_META}></head>")).unwrap();
        version_net_worker(&dist).unwrap();
        let page = fs::read_to_string(dist.join("index.html")).unwrap();
        let address = page
            .split('"')
            .find(|part| part.starts_with("net/"))
            .unwrap()
            .to_owned();
        assert!(dist.join(&address).is_file(), "{address}");
        assert!(!dist.join("net_worker.js").exists());
        assert_eq!(headers::cache_control(&address), headers::IMMUTABLE);
        fs::remove_dir_all(dist).unwrap();
    }

    #[test]
    fn the_networks_move_together_and_the_page_is_told() {
        let dist = folder("networks");
        fs::create_dir_all(dist.join(NETWORKS)).unwrap();
        for name in ["a.pb.gz", "a.probes", "p.tsv.gz", "README.md"] {
            fs::write(dist.join(NETWORKS).join(name), name).unwrap();
        }
        let metas = [
            ("network", "a.pb.gz"),
            ("probes", "a.probes"),
            ("positions", "p.tsv.gz"),
        ]
        .map(|(name, file)| format!("<meta name=\"kibitz:{name}\" content=\"{NETWORKS}/{file}\">\n"));
        fs::write(dist.join("index.html"), metas.concat()).unwrap();
        version_networks(&dist).unwrap();
        let page = fs::read_to_string(dist.join("index.html")).unwrap();
        let addresses: Vec<&str> = page.split('"').filter(|part| part.starts_with(NETWORKS)).collect();
        assert_eq!(addresses.len(), 3);
        for address in addresses {
            assert!(dist.join(address).is_file(), "{address}");
            assert_eq!(headers::cache_control(address), headers::IMMUTABLE);
        }
        assert!(!dist.join(NETWORKS).join("a.pb.gz").exists());
        fs::remove_dir_all(dist).unwrap();
    }
}
