//! A request as a server of the tests reads it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{BufRead, BufReader, Read},
    net::TcpStream,
};

/// The connection with the body of the request that came on it; `None` where it was closed without one.
pub fn body_of(stream: TcpStream) -> Option<(TcpStream, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        if let Some(found) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = found.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    Some((reader.into_inner(), body))
}
