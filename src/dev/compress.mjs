// Reads a list of paths (JSON) and writes FILE.br and FILE.gz beside each, where that is smaller.

import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const FORMS = {
  br: (plain) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gz: (plain) => promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
};

async function compress(path) {
  const plain = await readFile(path);
  const write = async ([ending, form]) => {
    const compressed = await form(plain);
    if (compressed.length < plain.length) await writeFile(`${path}.${ending}`, compressed);
  };
  await Promise.all(Object.entries(FORMS).map(write));
}

await Promise.all(JSON.parse(await text(process.stdin)).map(compress));
