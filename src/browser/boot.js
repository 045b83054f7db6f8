// Starts the page. It is a file, not an inline script, because the Content-Security-Policy allows none; the build
// writes where the app and its wasm are into this script's element. Whatever goes wrong here is said in the page. Where
// a service worker keeps the app's files, one of them may be damaged: it is asked to mend them, and the page is loaded
// again, once.

const element = document.querySelector("script[data-app]");
const address = (name) => new URL(name, document.baseURI);

/** For raters whose link names a language that ships: what is said until the page itself can speak. */
const WORDS = {
  de: {
    loading: "Kibitz wird geladen…",
    failed: "Kibitz konnte nicht starten",
    advice:
      "Laden Sie die Seite neu. Wenn das nicht hilft, ist dieser Browser vielleicht zu alt, oder etwas zwischen Ihnen und " +
      "dem Server hält Dateien zurück.",
    server: "Das kann nur ändern, wer den Server betreibt.",
  },
  ko: {
    loading: "Kibitz를 불러오는 중입니다…",
    failed: "Kibitz를 시작하지 못했습니다",
    advice:
      "페이지를 다시 불러와 주세요. 그래도 되지 않으면 브라우저가 너무 오래되었거나, 서버와의 사이에서 파일이 막히고 있을 수 " +
      "있습니다.",
    server: "서버를 운영하는 쪽에서만 고칠 수 있습니다.",
  },
};
const ENGLISH = {
  failed: "Kibitz could not start",
  advice:
    "Reload the page; if that does not help, this browser may be too old for it or something between you and the " +
    "server may be holding back its files.",
  server: "Whoever runs the server has to change that.",
};
const language = [...location.href.matchAll(/[?&]lang=(\w+)/g)].at(-1)?.[1];
const words = WORDS[language] ?? ENGLISH;

function say(cause) {
  const boot = document.getElementById("boot");
  if (!boot) throw cause;
  boot.setAttribute("role", "alert");
  const advice = cause instanceof WrongAnswer ? words.server : words.advice;
  boot.textContent = `${words.failed}: ${cause?.message ?? cause}. ${advice}`;
}

/** What the server sends is not what a browser runs: nothing that a reader can mend. */
class WrongAnswer extends Error {}

/** The program, on its way. Its parts are refused by browsers where they come as another type, which would look as if they
 * could not be fetched. */
async function program(name) {
  const answer = await fetch(address(name));
  const type = (answer.headers.get("Content-Type") ?? "").split(";")[0].trim().toLowerCase();
  if (answer.ok && type !== "application/wasm") {
    const file = name.split("/").at(-1);
    throw new WrongAnswer(`the server sends ${file} as “${type}”, and browsers run it only as “application/wasm”`);
  }
  return answer;
}

function greet() {
  const boot = document.getElementById("boot");
  if (!boot || !words.loading) return;
  boot.lang = language;
  boot.textContent = words.loading;
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

greet();
try {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  const { default: start } = await import(address(element.dataset.app));
  await start({ module_or_path: program(element.dataset.wasm) });
  document.getElementById("boot")?.remove();
  forget();
} catch (cause) {
  // Storage that is forbidden throws; then there is nothing to mend either.
  if (await mended().catch(() => false)) location.reload();
  else say(cause);
}
