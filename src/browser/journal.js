// Journals in IndexedDB: numbered entries that are only ever added, and small records beside them. A promise is kept
// when the browser says that the data is on the disk ("strict" durability), not before.

const DATABASE = "kibitz-survey";
let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("entries");
      request.result.createObjectStore("records");
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = () => (opened = undefined);
      database.onversionchange = () => {
        database.close();
        opened = undefined;
      };
      resolve(database);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another version of the page holds the store"));
  });
  opened.catch(() => (opened = undefined));
  return opened;
}

async function transact(store, mode, work) {
  const database = await open();
  const transaction = database.transaction(store, mode, { durability: "strict" });
  const request = work(transaction.objectStore(store));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = (event) => reject(event.target.error ?? transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser gave up writing"));
  });
}

const range = (journal) => IDBKeyRange.bound([journal, 0], [journal, Infinity]);

/** Adds entries, the first as number `first`. Fails, and adds none, where one of the numbers is taken. */
export const append = (journal, first, entries) =>
  transact("entries", "readwrite", (store) => {
    entries.forEach((entry, index) => store.add(entry, [journal, first + index]));
  });

/** All entries in their order. */
export const entries = (journal) => transact("entries", "readonly", (store) => store.getAll(range(journal)));

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

/**
 * Takes the lock with this name, for as long as the page lives or until another page takes it by force; then `lost` is
 * called. False when another page has it. A page that is just being left gives its lock back within moments, so it is
 * waited for a little. Browsers without locks always grant it.
 */
export function hold(name, byForce, lost) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const options = byForce ? { steal: true } : { signal: AbortSignal.timeout(1500) };
    let held = false;
    navigator.locks
      .request(name, options, () => {
        held = true;
        resolve(true);
        return new Promise(() => {});
      })
      .catch(() => {
        if (held) lost();
        else resolve(false);
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
      .request(name, { ifAvailable: true }, (lock) => (lock ? new Promise((giveBack) => resolve(giveBack)) : resolve()))
      .catch(() => resolve());
  });
}

/** Asks the browser not to clear this site's data when space runs low; false where it does not promise. */
export async function persist() {
  return (await navigator.storage?.persist?.()) ?? false;
}
