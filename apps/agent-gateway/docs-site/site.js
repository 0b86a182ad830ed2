// Search in the page itself: the index is one file of the site, loaded on the first key.
const root = document.currentScript.dataset.root;
const input = document.getElementById("search");
const results = document.getElementById("results");
const page = document.getElementById("page");
const MOST = 30;
let index = null;

// The list of documents is folded where it would push the page down.
if (matchMedia("(max-width: 50rem)").matches) document.querySelector(".contents").open = false;

input.addEventListener("input", async () => {
  const typed = input.value;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  results.hidden = words.length === 0;
  page.hidden = words.length > 0;
  if (words.length === 0) return;
  try {
    index ??= await fetch(`${root}search.json`).then((response) => response.json());
  } catch {
    results.textContent = "The search could not be loaded. Is Belay still running? Type again to try once more.";
    return;
  }
  // More was typed while the index was loaded.
  if (input.value === typed) show(find(words), words);
});

addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  }
  if (event.key === "Escape" && document.activeElement === input) {
    input.value = "";
    input.dispatchEvent(new Event("input"));
  }
});

function find(words) {
  return index
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

/** Every word must occur; matches in headings rank higher. */
function scoreOf({ title, heading, text }, words) {
  const head = `${title} ${heading}`.toLowerCase();
  const body = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    if (head.includes(word)) score += 10;
    else if (body.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function show(found, words) {
  const list = document.createElement("ul");
  for (const entry of found) {
    const link = document.createElement("a");
    link.href = `${root}${entry.page}#${entry.hash}`;
    link.textContent = entry.heading === entry.title ? entry.title : `${entry.title}: ${entry.heading}`;
    link.addEventListener("click", () => {
      results.hidden = true;
      page.hidden = false;
    });
    const text = document.createElement("p");
    text.textContent = excerpt(entry.text, words);
    const item = document.createElement("li");
    item.append(link, text);
    list.append(item);
  }
  const count = document.createElement("p");
  count.textContent = found.length === 0 ? "No page contains all these words." : `${found.length} places`;
  results.replaceChildren(count, list);
}

function excerpt(text, words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
  return `${at > 0 ? "… " : ""}${text.slice(at, at + 200)}${text.length > at + 200 ? " …" : ""}`;
}
