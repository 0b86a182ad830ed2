import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { startBelay } from "./harness/belay.ts";
import { untilReady } from "./harness/flood.ts";
import { median } from "./harness/measure.ts";
import { addRow } from "./harness/report.ts";

// The page of a terminal in a real browser: how much script it loads until the terminal shows what was printed, with the
// emulator, and how long that takes. Each round is a new profile, so nothing is cached.
const ROUNDS = 7;
const CHROMIUM = "/usr/bin/chromium";
const MARK = "terminal-page-mark";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

/** As text, because the compiler adds helpers to functions that a page does not have. */
const NOTICE_MARK = `
  // The first painting is by elements; WebGL, which cannot be read, comes afterwards.
  const observer = new MutationObserver(() => {
    if (!document.querySelector(".xterm-rows")?.textContent.includes(${JSON.stringify(MARK)})) return;
    observer.disconnect();
    performance.mark("terminal-shown");
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
`;
const READ_TIMES = `(() => {
  const ms = performance.getEntriesByName("terminal-shown")[0].startTime;
  const scripts = performance.getEntriesByType("resource").filter(
    ({ name, responseEnd }) => new URL(name).pathname.endsWith(".js") && responseEnd <= ms,
  );
  return { ms, scriptKilobytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000 };
})()`;

interface Shown {
  ms: number;
  scriptKilobytes: number;
}

const browser = await openBrowser();
if (browser) await measure(browser);
else console.log("skipped: no Chromium on this machine.");

async function openBrowser(): Promise<Browser | null> {
  const path = existsSync(CHROMIUM) ? { executablePath: CHROMIUM } : {};
  return chromium.launch({ ...path, args: FLAGS }).catch(() => null);
}

async function measure(browser: Browser): Promise<void> {
  const belay = await startBelay();
  try {
    const session = await belay.open();
    await untilReady(session);
    session.type(`printf '${MARK}\\n'\n`);
    const [terminal] = await belay.query<{ id: string }[]>("terminals.list", {});
    const url = `${belay.url}/terminal?id=${terminal?.id}`;
    const shown: Shown[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await browser.newContext();
      await context.addCookies(cookiesOf(belay.cookie, belay.url));
      shown.push(await untilShown(context, url));
      await context.close();
    }
    const ms = median(shown.map((each) => each.ms));
    const kilobytes = median(shown.map((each) => each.scriptKilobytes));
    addRow({
      what: "page of a terminal: script until its screen is shown, KB",
      measured: `${kilobytes.toFixed(0)} KB`,
      value: kilobytes,
      goal: { atMost: 250 },
      peers: {},
    });
    addRow({
      what: "page of a terminal: shown after, ms",
      measured: `${ms.toFixed(0)} ms (${Math.min(...shown.map((each) => each.ms)).toFixed(0)}–${Math.max(...shown.map((each) => each.ms)).toFixed(0)})`,
      value: ms,
      goal: { atMost: 700 },
      peers: {},
    });
  } finally {
    await belay.close();
    await browser.close();
  }
}

async function untilShown(context: BrowserContext, url: string): Promise<Shown> {
  const page = await context.newPage();
  await page.addInitScript(NOTICE_MARK);
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("terminal-shown").length > 0);
  return page.evaluate<Shown>(READ_TIMES);
}

function cookiesOf(header: string, url: string) {
  return header.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
}
