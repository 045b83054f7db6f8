// Texts in files of the browser's own (the origin private file system), in a folder for each name. A file is replaced as
// a whole or not at all, and a promise is kept when it was read back.

const TOP = "kibitz-survey";
const PROBE = "probe";

const top = async (create) => (await navigator.storage.getDirectory()).getDirectoryHandle(TOP, { create });

async function replace(folder, name, text) {
  const file = await folder.getFileHandle(name, { create: true });
  // On a full disk the browser may lose what is replaced.
  if (text && (await (await file.getFile()).text()) === text) return;
  const writing = await file.createWritable();
  try {
    await writing.write(text);
    // Only now it takes the place of the one before.
    await writing.close();
  } catch (cause) {
    writing.abort().catch(() => {});
    throw cause;
  }
  if ((await (await file.getFile()).text()) !== text) throw new DOMException("it was not kept", "DataError");
}

/** Keeps a text in a file of this folder. */
export const write = async (folder, name, text) =>
  replace(await (await top(true)).getDirectoryHandle(folder, { create: true }), name, text);

/** The names and texts of a folder's files in turn; none where there is no such folder. */
export async function read(folder) {
  const found = [];
  try {
    for await (const [name, file] of (await (await top(false)).getDirectoryHandle(folder)).entries())
      found.push(name, await (await file.getFile()).text());
  } catch (cause) {
    if (cause.name !== "NotFoundError") throw cause;
  }
  return found;
}

/** The texts of the files with this name, of all folders. */
export async function all(name) {
  const found = [];
  for await (const folder of (await top(false)).values()) {
    try {
      found.push(await (await (await folder.getFileHandle(name)).getFile()).text());
    } catch {
      // A folder without it.
    }
  }
  return found;
}

/** Removes a file of a folder, or all of it. */
export async function remove(folder, name) {
  try {
    if (name) await (await (await top(false)).getDirectoryHandle(folder)).removeEntry(name);
    else await (await top(false)).removeEntry(folder, { recursive: true });
  } catch (cause) {
    if (cause.name !== "NotFoundError") throw cause;
  }
}

/** Whether so many bytes have room here; true where the browser does not let this be tried. */
export async function hasRoom(bytes) {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  if (quota - usage < bytes) return false;
  let folder;
  try {
    folder = await top(true);
    await replace(folder, PROBE, "x".repeat(bytes));
  } catch (cause) {
    // Not even a text of this length can be made, or there is no room for it.
    return !(cause instanceof RangeError) && cause.name !== "QuotaExceededError";
  } finally {
    folder?.removeEntry(PROBE).catch(() => {});
  }
  return true;
}
