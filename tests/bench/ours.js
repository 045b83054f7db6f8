// The network's worker as the page starts it. This file is served beside its loader, whose addresses are relative.

importScripts("/bench/memory.js", "./net_worker_loader.js");
