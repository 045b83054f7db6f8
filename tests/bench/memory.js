// First in a worker: whoever asks on the channel of the worker's name hears how many bytes of WebAssembly memory the worker
// has. Such memory never shrinks, so that this is the most it has needed.

const memories = new Set();

/** The memory that a program brings, or is given. */
function remember(things) {
  for (const thing of Object.values(things ?? {}))
    if (thing instanceof WebAssembly.Memory) memories.add(thing);
}

for (const name of ["instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = async (source, imports) => {
    const made = await original.call(WebAssembly, source, imports);
    Object.values(imports ?? {}).forEach(remember);
    remember((made.instance ?? made).exports);
    return made;
  };
}

WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(module, imports) {
    super(module, imports);
    Object.values(imports ?? {}).forEach(remember);
    remember(this.exports);
  }
};

const channel = new BroadcastChannel(self.name);
channel.onmessage = ({ data }) => {
  if (data === "memory?") channel.postMessage([...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0));
};
