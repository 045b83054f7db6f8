// Reads a list of paths (JSON) and writes FILE.br beside each, where that is smaller.

import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

async function compress(path) {
  const plain = await readFile(path);
  const compressed = await promisify(brotliCompress)(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
  if (compressed.length < plain.length) await writeFile(`${path}.br`, compressed);
}

await Promise.all(JSON.parse(await text(process.stdin)).map(compress));
