//! Talking to language models: requests, replies, streams. Pure: the bytes are carried by `services`.
