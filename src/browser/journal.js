// Journals in IndexedDB: numbered entries that are only ever added, and small records beside them. A promise is kept
// when the browser says that the data is on the disk ("strict" durability), not before.

const DATABASE = "kibitz-survey";
let opened;
let database;

// A page that is left may be kept for the way back, and what it had begun then holds the store against the page that comes
// after it. So nothing is begun while it is away, and what it held is given back. What it had still to write is in the
// write-ahead copy.
let away;
let comeBack;
let heldLocks = false;
const holding = new Set();

addEventListener("pagehide", () => {
  away = new Promise((resolve) => (comeBack = resolve));
  heldLocks = holding.size > 0;
  for (const giveBack of holding) giveBack();
  close();
});
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted || !away) return;
  // Another page may have gone on with the session meanwhile.
  if (heldLocks) return location.reload();
  away = undefined;
  comeBack();
});

function close() {
  database?.close();
  database = opened = undefined;
}

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("entries");
      request.result.createObjectStore("records");
    };
    request.onsuccess = () => {
      database = request.result;
      database.onclose = close;
      database.onversionchange = close;
      resolve(database);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another version of the page holds the store"));
  });
  opened.catch(() => (opened = undefined));
  return opened;
}

async function transact(store, mode, work) {
  await away;
  const transaction = (await open()).transaction(store, mode, { durability: "strict" });
  const request = work(transaction.objectStore(store));
  // Nothing more is asked of it. WebKit leaves a transaction open that waits to notice this while its page is left.
  transaction.commit?.();
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = (event) => reject(event.target.error ?? transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser gave up writing"));
  });
}

const range = (journal) => IDBKeyRange.bound([journal, 0], [journal, Infinity]);

const differ = (name) => new DOMException("the journal is not as it was left", name);

/**
 * Adds entries, the first as number `first`, and reads them back. `head` and `last` are the first entry of the journal and
 * the one before `first`, where there are some. Fails with a ConstraintError, and adds none, where the journal has another
 * head, or more or fewer entries: a browser that has lost its store opens an empty one in its place.
 */
export async function append(journal, first, head, last, entries) {
  await away;
  const transaction = (await open()).transaction("entries", "readwrite", { durability: "strict" });
  const store = transaction.objectStore("entries");
  // A page that is left gives up what it has not asked for yet.
  const giveUp = () => transaction.abort();
  addEventListener("pagehide", giveUp);
  const asked = () => removeEventListener("pagehide", giveUp);
  let cause;
  const count = store.count(range(journal));
  const there = first ? [store.get([journal, 0]), store.get([journal, first - 1])] : [];
  (there[1] ?? count).onsuccess = () => {
    asked();
    if (count.result !== first || (first && (there[0].result !== head || there[1].result !== last))) {
      cause = differ("ConstraintError");
      return transaction.abort();
    }
    try {
      entries.forEach((entry, index) => store.add(entry, [journal, first + index]));
    } catch (error) {
      cause = error;
      return transaction.abort();
    }
    transaction.commit?.();
  };
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = (event) => (cause ??= event.target.error);
    transaction.onabort = () => reject(cause ?? transaction.error ?? differ("AbortError"));
  }).finally(asked);
  const rest = IDBKeyRange.bound([journal, first], [journal, Infinity]);
  const kept = await transact("entries", "readonly", (store) => store.getAll(rest));
  if (kept.length !== entries.length || kept.some((entry, index) => entry !== entries[index])) throw differ("ConstraintError");
}

/** All entries in their order. */
export const entries = (journal) => transact("entries", "readonly", (store) => store.getAll(range(journal)));

/** The names of the journals that have entries. */
export async function journals() {
  const keys = await transact("entries", "readonly", (store) => store.getAllKeys());
  return [...new Set(keys.map(([journal]) => journal))];
}

/** Removes a journal. */
export const discard = (journal) => transact("entries", "readwrite", (store) => store.delete(range(journal)));

/** Keeps a record under a name. */
export const put = (name, text) => transact("records", "readwrite", (store) => store.put(text, name));

/** The record with this name, or undefined. */
export const get = (name) => transact("records", "readonly", (store) => store.get(name));

/** Removes a record. */
export const drop = (name) => transact("records", "readwrite", (store) => store.delete(name));

/** All records whose names begin so. */
export const list = (prefix) =>
  transact("records", "readonly", (store) => store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`)));

/** Lasts until what `take` gets is called, or the page is left. */
const held = (take) =>
  new Promise((done) => {
    const giveBack = () => {
      holding.delete(giveBack);
      done();
    };
    holding.add(giveBack);
    take(giveBack);
  });

/**
 * Takes the lock with this name until it is given back, the page is left, or another page takes it by force; then `lost` is
 * called. What gives it back, or undefined where another page has it. A page that is just being left gives its lock back
 * within moments, so it is waited for a little. Browsers without locks always grant it.
 */
export function hold(name, byForce, lost) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    const options = byForce ? { steal: true } : { signal: AbortSignal.timeout(1500) };
    let mine;
    const take = (giveBack) => resolve((mine = giveBack));
    navigator.locks
      .request(name, options, () => held(take))
      .catch(() => {
        if (!mine) return resolve();
        holding.delete(mine);
        lost();
      });
  });
}

/**
 * Takes the lock with this name for a while: what gives it back, or undefined where another page has it. Browsers without
 * locks always grant it.
 */
export function borrow(name) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => (lock ? held(resolve) : resolve()))
      .catch(() => resolve());
  });
}

/**
 * Asks the browser not to clear this site's data when space runs low. Nobody waits for the answer: Firefox asks its user, who
 * may never answer.
 */
export function persist() {
  navigator.storage?.persist?.().catch(() => {});
}
