// Texts under keys in IndexedDB, for whoever can do without them: the oldest go when there are too many, and nothing waits
// for the disk.

const DATABASE = "kibitz-searches";
const STORE = "searches";
let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE).createIndex("at", "at");
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

async function transact(mode, work) {
  const database = await open();
  const transaction = database.transaction(STORE, mode, { durability: "relaxed" });
  const request = work(transaction.objectStore(STORE));
  // Nothing more is asked of it. WebKit leaves a transaction open that waits to notice this while its page is left.
  transaction.commit?.();
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser gave up writing"));
  });
}

/** The text under a key; undefined where there is none. */
export const find = async (key) => (await transact("readonly", (store) => store.get(key)))?.text;

/** Keeps a text under a key, and at most so many of them: a tenth of them goes at a time. */
export async function keep(key, text, most) {
  await transact("readwrite", (store) => store.put({ text, at: Date.now() }, key));
  const count = await transact("readonly", (store) => store.count());
  if (count <= most) return;
  const oldest = await transact("readonly", (store) => store.index("at").getAllKeys(null, count - Math.floor(most * 0.9)));
  await transact("readwrite", (store) => {
    let last;
    for (const key of oldest) last = store.delete(key);
    return last;
  });
}
