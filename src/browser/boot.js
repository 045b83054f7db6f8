// Starts the page. It is a file, not an inline script, because the Content-Security-Policy allows none; the build
// writes where the app and its wasm are into this script's element. Whatever goes wrong here is said in the page. Where
// a service worker keeps the app's files, one of them may be damaged: it is asked to mend them, and the page is loaded
// again, once.

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

const TRIED = "kibitz.repaired";
/** How many ms the service worker may take; it may have to fetch the whole app. */
const PATIENCE = 60_000;

/** Whether something was mended, so that another load may go better. */
async function mended() {
  const keeper = navigator.serviceWorker?.controller;
  if (!keeper || sessionStorage.getItem(TRIED)) return false;
  sessionStorage.setItem(TRIED, "yes");
  const boot = document.getElementById("boot");
  if (boot) boot.textContent = "Kibitz's files in this browser are looked at…";
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("message", ({ data }) => {
      if (data?.type === "repaired") resolve(data.files > 0);
    });
    navigator.serviceWorker.startMessages();
    keeper.postMessage({ type: "repair" });
    setTimeout(() => resolve(false), PATIENCE);
  });
}

function forget() {
  try {
    sessionStorage.removeItem(TRIED);
  } catch {
    // Storage is forbidden here: nothing was kept.
  }
}

try {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  const { default: start } = await import(address(element.dataset.app));
  await start({ module_or_path: address(element.dataset.wasm) });
  document.getElementById("boot")?.remove();
  forget();
} catch (cause) {
  // Storage that is forbidden throws; then there is nothing to mend either.
  if (await mended().catch(() => false)) location.reload();
  else say(cause);
}
