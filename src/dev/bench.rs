//! `cargo dev bench`: the page's own benchmark, the network's worker beside onnxruntime-web, and the lab, one after the
//! other; what they found is written into `docs/performance.md`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::app::{self, Compilation};
use crate::bench_tables::{Findings, tables, with_tables};
use crate::browser::Browser;
use crate::commands::{capture, program, run as run_program};
use crate::failure::Failure;
use crate::files::{read, write};
use crate::kind::Kind;
use crate::packages;
use crate::progress::Progress;
use crate::server::Server;
use crate::setup;

/// The document that has the tables.
const DOCUMENT: &str = "docs/performance.md";

/// What is made for the benchmark alone, and what it finds.
const FOLDER: &str = "target/bench";

/// The default network.
const NETWORK: &str = "public/networks/kibitz-64x6.pb.gz";

/// Files of that folder: what each part found.
const IN_BROWSER: &str = "found.json";
const IN_LAB: &str = "lab.json";
const IN_LAB_WIDE: &str = "lab-256x20.json";

/// Nodes of the lab's searches: a tenth of the page's, whose comments are what visitors wait for.
const LAB_NODES: &str = "20000";

/// Steps after what there must be.
const STEPS: usize = 4;

/// A network that is compared.
struct Compared {
    /// Filters × blocks.
    name: &'static str,
    /// Filters, blocks and seed of one with weights of chance; `None` for the default network.
    made_up: Option<[&'static str; 3]>,
    /// Turns of each program.
    turns: usize,
}

const COMPARED: [Compared; 2] = [
    Compared {
        name: "64x6",
        made_up: None,
        turns: 101,
    },
    Compared {
        name: "256x20",
        made_up: Some(["256", "20", "1"]),
        turns: 31,
    },
];

/// Half of what is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The page, and the network's worker beside onnxruntime-web.
    Browser,
    /// The lab.
    Lab,
}

impl Part {
    /// Reads its name.
    pub fn read(name: &str) -> Result<Part, Failure> {
        match name {
            "browser" => Ok(Part::Browser),
            "lab" => Ok(Part::Lab),
            _ => Err(Failure::usage(format!("--only wants browser or lab, not “{name}”"))),
        }
    }
}

/// Measures with the `dist/` and the lab that are named, or with those that it builds: both parts, or the one that is
/// named; of the other one the tables say what it found last.
pub fn run(dist: Option<&Path>, lab: Option<&Path>, part: Option<Part>) -> Result<(), Failure> {
    let measures = |which| part.is_none_or(|part| part == which);
    let builds = dist.is_none() && measures(Part::Browser);
    let set_up = if builds { setup::STEPS + app::STEPS } else { 1 };
    let progress = Progress::new(set_up + 2 + STEPS);
    let dist = if builds {
        let ahead = |setup: &setup::Setup, progress: &Progress| Compilation::begin(setup, Kind::Release, progress);
        let (setup, compilation) = setup::everything(&progress, ahead)?;
        app::build(&setup, Kind::Release, compilation, &progress)?;
        std::path::absolute(app::DIST).map_err(|source| Failure::file(app::DIST, source))?
    } else {
        progress.step("engine, board and what is compared from npm, at the versions in package-lock.json");
        packages::ready(&progress)?;
        dist.unwrap_or(Path::new(app::DIST)).to_owned()
    };
    let browser = Browser::ready(&progress)?;
    progress.step("the lab, release build");
    let lab = match lab {
        Some(lab) => lab.to_owned(),
        None => built_lab()?,
    };
    progress.step("networks to compare");
    fs::create_dir_all(FOLDER).map_err(|source| Failure::file(FOLDER, source))?;
    let networks = COMPARED
        .iter()
        .map(|compared| prepare(compared, &lab))
        .collect::<Result<Vec<_>, _>>()?;
    if measures(Part::Browser) {
        progress.step("in the browser");
        in_browser(&dist, &browser, networks)?;
    }
    if measures(Part::Lab) {
        progress.step("in the lab");
        in_lab(&lab)?;
    }
    progress.step(format!("the tables of {DOCUMENT}"));
    let findings = Findings {
        page: found(IN_BROWSER)?,
        lab: found(IN_LAB)?,
        lab_wide: found(IN_LAB_WIDE)?,
    };
    let document = fs::read_to_string(DOCUMENT).map_err(|source| Failure::file(DOCUMENT, source))?;
    write(Path::new(DOCUMENT), &with_tables(&document, &tables(&findings)?)?)?;
    progress.done(format!(
        "{DOCUMENT} has the tables; look at them before they are committed"
    ));
    Ok(())
}

/// What a part found last.
fn found(file: &str) -> Result<Value, Failure> {
    let path = Path::new(FOLDER).join(file);
    if !path.exists() {
        return Err(Failure::Missing(
            "Nothing is known of the other part yet: run `cargo dev bench` without --only first.".to_owned(),
        ));
    }
    let text = read(&path)?;
    serde_json::from_slice(&text).map_err(|error| Failure::Missing(format!("{} is no JSON: {error}", path.display())))
}

/// `lab bench` with the default network, and with the wide one alone.
fn in_lab(lab: &Path) -> Result<(), Failure> {
    let measure = |network: &Path, others: &[&str], out: &str| {
        let mut command = program(&lab.to_string_lossy());
        // Twenty positions, after once that is not counted.
        command
            .args(["bench", "--json", "--runs", "1", "--net"])
            .arg(network)
            .args(others);
        write(&Path::new(FOLDER).join(out), &capture(&mut command)?)
    };
    let without = ["--engine", "--labels", "--lm", "--searchless"].map(|part| [part, "none"]);
    measure(&path_of("256x20", "pb.gz"), without.as_flattened(), IN_LAB_WIDE)?;
    measure(Path::new(NETWORK), &["--nodes", LAB_NODES], IN_LAB)
}

/// Builds the lab as `cargo lab` does.
fn built_lab() -> Result<PathBuf, Failure> {
    let mut cargo = program("cargo");
    cargo.args(["build", "--release", "--locked", "--features=lab", "--bin=lab"]);
    cargo.args(["--message-format=json-render-diagnostics"]);
    let messages = capture(&mut cargo)?;
    let executable = messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_lab = message["target"]["name"] == "lab";
        message["executable"].as_str().filter(|_| is_lab).map(PathBuf::from)
    });
    executable
        .ok_or_else(|| Failure::Missing("cargo did not say where it has put the lab: name it with --lab.".to_owned()))
}

fn path_of(name: &str, ending: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{name}.{ending}"))
}

/// A network's file, its export and the positions as it reads them; the browser is told where they are.
fn prepare(compared: &Compared, lab: &Path) -> Result<Value, Failure> {
    let name = compared.name;
    let ask = |words: &[&str], paths: &[(&str, &Path)]| {
        let mut command = program(&lab.to_string_lossy());
        command.arg("network").args(words);
        for (option, path) in paths {
            command.arg(option).arg(path);
        }
        capture(&mut command)
    };
    let file = match compared.made_up {
        None => PathBuf::from(NETWORK),
        Some([filters, blocks, seed]) => {
            let file = path_of(name, "pb.gz");
            let words = ["made-up", "--filters", filters, "--blocks", blocks, "--seed", seed];
            ask(&words, &[("--like", Path::new(NETWORK)), ("--out", &file)])?;
            file
        }
    };
    let (onnx, positions) = (path_of(name, "onnx"), path_of(name, "json"));
    let words = ["onnx", &file.to_string_lossy()];
    ask(&words, &[("--out", &onnx), ("--positions", &positions)])?;
    Ok(json!({ "name": name, "file": file, "onnx": onnx, "positions": positions, "turns": compared.turns }))
}

/// The script's findings, with the app served as `cargo dev serve` does.
fn in_browser(dist: &Path, browser: &Browser, networks: Vec<Value>) -> Result<(), Failure> {
    let server = Server::open_anywhere(dist)?;
    let with = json!({
        "address": server.address(),
        "dist": dist,
        "executablePath": browser.chromium,
        "networks": networks,
        "out": Path::new(FOLDER).join(IN_BROWSER),
    });
    std::thread::scope(|scope| {
        scope.spawn(|| server.serve());
        let mut node = program("node");
        let result = run_program(node.arg("tests/bench/run.mjs").arg(with.to_string()));
        server.stop();
        result
    })
}
