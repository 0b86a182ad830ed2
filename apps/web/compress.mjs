import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

// Compresses the export once at build time, so that the gateway never has to.
const OUT = join(import.meta.dirname, "out");
const COMPRESSIBLE = /\.(js|css|html|txt|svg|json)$/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

for (const entry of await readdir(OUT, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const bytes = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  await Promise.all([
    brotli(bytes, { params }).then((small) => writeFile(`${path}.br`, small)),
    zip(bytes, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
  ]);
}
