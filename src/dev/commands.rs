//! Running other programs.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// What `cargo run` puts into the environment for this program and its children must not reach another cargo: a second
/// toolchain would then be handed the first one's compiler and package.
const CARGO_RUN: [&str; 7] = [
    "CARGO",
    "RUSTC",
    "RUSTDOC",
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_PATH",
    "CARGO_PRIMARY_PACKAGE",
    "OUT_DIR",
];

/// How much of a quiet program's output is shown when it fails, in lines.
const TAIL: usize = 40;

/// A command without what `cargo run` left in the environment.
pub fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    for variable in CARGO_RUN {
        command.env_remove(variable);
    }
    for (variable, _) in std::env::vars_os() {
        if variable.to_string_lossy().starts_with("CARGO_PKG_") {
            command.env_remove(variable);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// Runs a program on our terminal and waits for it.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command
        .status()
        .map_err(|error| failed(command, &error.to_string(), ""))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(command, &status.to_string(), ""))
    }
}

/// Runs a program beside others that write to our terminal: what it has to say is shown in one piece at its end.
pub fn run_aside(command: &mut Command) -> Result<(), Failure> {
    use std::io::Write;
    let output = command
        .output()
        .map_err(|error| failed(command, &error.to_string(), ""))?;
    let mut terminal = std::io::stderr().lock();
    // A terminal that is gone keeps no check from its verdict.
    let _ = terminal.write_all(&output.stdout);
    let _ = terminal.write_all(&output.stderr);
    if output.status.success() {
        Ok(())
    } else {
        Err(failed(command, &output.status.to_string(), ""))
    }
}

/// The same command, run by `nice` where there is one: others go first where both want a core.
pub fn yielding(command: &Command) -> Command {
    let mut same = if find("nice").is_some() {
        let mut nice = Command::new("nice");
        nice.args(["-n", "10"]).arg(command.get_program());
        nice
    } else {
        Command::new(command.get_program())
    };
    same.args(command.get_args()).stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => same.env(name, value),
            None => same.env_remove(name),
        };
    }
    same
}

/// Runs a program and returns what it wrote to its standard output; its errors are shown only when it fails.
pub fn capture(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .output()
        .map_err(|error| failed(command, &error.to_string(), ""))?;
    checked(command, output)
}

/// Like [`capture`] with `input` on the program's standard input.
pub fn capture_with_input(command: &mut Command, input: &str) -> Result<String, Failure> {
    use std::io::Write;
    let start = |command: &mut Command| {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        child.wait_with_output()
    };
    let output = start(command).map_err(|error| failed(command, &error.to_string(), ""))?;
    checked(command, output)
}

/// Runs a program on our terminal; `Ok(false)` if it failed, could not start, or ran past `limit` and was stopped.
pub fn succeeds_within(command: &mut Command, limit: Duration) -> bool {
    let Ok(mut child) = command.spawn() else { return false };
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(100)),
            Ok(None) | Err(_) => {
                // It may have ended just now; either way it is gone after this.
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

/// The file that a command of this name would run, from PATH.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path)
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

fn checked(command: &Command, output: Output) -> Result<String, Failure> {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(stdout);
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = stdout.lines().chain(stderr.lines()).collect();
    Err(failed(
        command,
        &output.status.to_string(),
        &lines[lines.len().saturating_sub(TAIL)..].join("\n"),
    ))
}

fn failed(command: &Command, how: &str, output: &str) -> Failure {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let command = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let output = if output.is_empty() {
        String::new()
    } else {
        format!(":\n{output}")
    };
    Failure::Command {
        command,
        how: how.to_owned(),
        output,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command_and_the_end_of_its_output() {
        let message = capture(program("cargo").arg("no-such-command-of-ours"))
            .unwrap_err()
            .to_string();
        assert!(
            message.starts_with("`cargo no-such-command-of-ours` failed"),
            "{message}"
        );
        assert!(message.contains("no such command"), "{message}");
    }

    #[test]
    fn a_program_that_is_not_there_fails_too() {
        assert!(run(&mut program("kibitz-is-no-program")).is_err());
        assert!(!succeeds_within(
            &mut program("kibitz-is-no-program"),
            Duration::from_secs(1)
        ));
        assert_eq!(find("kibitz-is-no-program"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_yielding_command_keeps_its_words_and_its_environment() {
        let mut command = Command::new("sh");
        command
            .args(["-c", "echo $KIBITZ_YIELDS"])
            .env("KIBITZ_YIELDS", "two words");
        assert_eq!(capture(&mut yielding(&command)).unwrap(), "two words\n");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_hangs_is_stopped() {
        let start = Instant::now();
        assert!(!succeeds_within(program("sleep").arg("60"), Duration::from_millis(200)));
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
