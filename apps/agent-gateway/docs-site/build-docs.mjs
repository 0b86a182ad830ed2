import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import { CHAPTERS, INSIDE } from "./pages.mjs";

const DOCS = new URL("../../../docs/", import.meta.url);
const ASSETS = ["site.css", "site.js"];

/** Renders docs/ to static pages with a search index: no network, no inline script or style. */
export async function buildDocs(outDir) {
  await rm(outDir, { recursive: true, force: true });
  const names = (await readdir(DOCS, { recursive: true }))
    .filter((file) => file.endsWith(".md") && !INSIDE.test(file))
    .map((file) => file.slice(0, -".md".length));
  const pages = await Promise.all(names.map(readPage));
  const chapters = arrange(pages);
  const known = new Set(names);
  for (const page of pages) {
    const file = new URL(`${page.name}.html`, outDir);
    await mkdir(dirname(fileURLToPath(file)), { recursive: true });
    await writeFile(file, frame(page, chapters, render(page, known)));
  }
  await writeFile(new URL("index.html", outDir), frame(home(), chapters, homeBody(chapters)));
  await writeFile(new URL("search.json", outDir), JSON.stringify(pages.flatMap(searchEntries)));
  for (const asset of ASSETS) await cp(new URL(asset, import.meta.url), new URL(asset, outDir));
  await cp(new URL("images/", DOCS), new URL("images/", outDir), { recursive: true });
}

async function readPage(name) {
  const text = await readFile(new URL(`${name}.md`, DOCS), "utf8");
  return { name, text, title: /^# (.+)$/m.exec(text)?.[1] ?? name };
}

function arrange(pages) {
  const left = new Map(pages.map((page) => [page.name, page]));
  const take = (name) => {
    const page = left.get(name);
    left.delete(name);
    return page ? [page] : [];
  };
  const chapters = CHAPTERS.map(([title, names]) => ({ title, pages: names.flatMap(take) }));
  const rest = [...left.values()].sort((a, b) => a.name.localeCompare(b.name));
  return [...chapters, { title: "More", pages: rest }].filter(({ pages }) => pages.length > 0);
}

function render({ name, text }, known) {
  const used = new Map();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        return `<h${depth} id="${slugOf(html, used)}">${html}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const target = targetOf(href, name, known);
        return target === null ? html : `<a href="${escapeHtml(target)}">${html}</a>`;
      },
      table(token) {
        const cells = (row, tag) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const head = token.header.some(({ text: title }) => title !== "")
          ? `<thead><tr>${cells(token.header, "th")}</tr></thead>`
          : "";
        const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="table"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(text);
}

/** A page of this site, an external address, or null for a file that exists only in the sources. */
function targetOf(href, from, known) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path = "", hash] = href.split("#");
  const target = posix.normalize(posix.join(posix.dirname(from), path)).replace(/\.md$/, "");
  if (!known.has(target)) return null;
  const relative = posix.relative(posix.dirname(from), target);
  return `${relative}.html${hash ? `#${hash}` : ""}`;
}

function frame({ name, title }, chapters, body) {
  const up = "../".repeat(name.split("/").length - 1);
  const nav = chapters
    .map(({ title: chapter, pages }) => {
      const links = pages.map((page) => {
        const current = page.name === name ? ' aria-current="page"' : "";
        return `<li><a href="${up}${page.name}.html"${current}>${escapeHtml(page.title)}</a></li>`;
      });
      return `<h2>${chapter}</h2><ul>${links.join("")}</ul>`;
    })
    .join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Belay</title>
<link rel="icon" href="${up}../icon.svg">
<link rel="stylesheet" href="${up}site.css">
<script src="${up}site.js" data-root="${up}" defer></script>
</head>
<body>
<header>
<a class="name" href="${up}index.html">Belay</a>
<label class="search"><span>Search</span><input id="search" type="search" placeholder="Search the documents" autocomplete="off"></label>
<a href="/">Console</a>
</header>
<div class="columns">
<details class="contents" open><summary>Contents</summary><nav aria-label="Documents">
${nav}
</nav></details>
<main>
<div id="results" role="region" aria-label="Search results" aria-live="polite" hidden></div>
<article id="page">
${body}
</article>
</main>
</div>
</body>
</html>
`;
}

function home() {
  return { name: "index", title: "Documents" };
}

function homeBody(chapters) {
  const parts = chapters.map(({ title, pages }) => {
    const links = pages.map(({ name, title: page }) => `<li><a href="${name}.html">${escapeHtml(page)}</a></li>`);
    return `<h2>${title}</h2>\n<ul>${links.join("")}</ul>`;
  });
  return `<h1>Belay</h1>\n<p>Real terminals for AI agents, with a person on the rope.</p>\n${parts.join("\n")}`;
}

/** One entry per section, so that a search result links to the section. */
function searchEntries({ name, text, title }) {
  const used = new Map();
  const sections = text.split(/^(?=#{1,3} )/m).filter((section) => section.trim() !== "");
  return sections.map((section) => {
    const heading = /^#+ (.+)$/m.exec(section)?.[1] ?? title;
    const plain = section
      .replace(/^#+ .+$/m, "")
      .replaceAll(/[`*|#>]|\]\([^)]*\)|\[|-{3,}/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
    return { page: `${name}.html`, hash: slugOf(heading.replaceAll("`", ""), used), title, heading, text: plain };
  });
}

/** The same anchors as GitHub's, so that links between the pages work in both places. */
function slugOf(html, used) {
  const plain = html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/&[a-z#0-9]+;/g, "")
    .toLowerCase();
  const slug = plain
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
