// The network's worker. The page compiles its program once for all its workers, and hands it over in the first message.

importScripts("./net_worker.js");

onmessage = ({ data }) => {
  // The program listens to those that follow.
  onmessage = null;
  wasm_bindgen.initSync({ module: data });
};
