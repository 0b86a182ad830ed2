import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

// The pages that show a terminal name the emulator's file, so that the browser fetches it together with their other
// scripts. Next.js does that only for parts that it can also draw on the server.
const OUT = join(import.meta.dirname, "out");
const PAGES = ["terminal.html", "shared.html"];
const CHUNKS = "_next/static/chunks";
/** A class that the emulator gives to its hidden field, and nothing else has. */
const MARK = '"xterm-helper-textarea"';

const found = [];
for (const name of await readdir(join(OUT, CHUNKS))) {
  if (name.endsWith(".js") && (await readFile(join(OUT, CHUNKS, name), "utf8")).includes(MARK)) found.push(name);
}
if (found.length !== 1)
  throw new Error(
    `The emulator should be in one file of the export, but it is in ${found.length}: ${found.join(", ")}.`,
  );

// With a low priority, because the page itself comes first.
const link = `<link rel="preload" as="script" fetchPriority="low" href="/${CHUNKS}/${found[0]}"/>`;
for (const page of PAGES) {
  const path = join(OUT, page);
  const html = await readFile(path, "utf8");
  if (!html.includes("</head>")) throw new Error(`${page} has no head.`);
  await writeFile(path, html.replace("</head>", `${link}</head>`));
}
