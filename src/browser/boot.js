// Starts the page. It is a file, not an inline script, because the Content-Security-Policy allows none; Trunk writes
// the hashed names of the app and its wasm into this script's element. Whatever goes wrong here is said in the page.

const element = document.querySelector("script[data-app]");
const address = (name) => new URL(name, document.baseURI);

function say(cause) {
  const boot = document.getElementById("boot");
  if (!boot) throw cause;
  boot.setAttribute("role", "alert");
  boot.textContent =
    `Kibitz could not start: ${cause?.message ?? cause}. ` +
    "Reload the page; if that does not help, this browser may be too old for it or something between you and the " +
    "server may be holding back its files.";
}

try {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  const { default: start } = await import(address(element.dataset.app));
  await start({ module_or_path: address(element.dataset.wasm) });
  document.getElementById("boot")?.remove();
} catch (cause) {
  say(cause);
}
