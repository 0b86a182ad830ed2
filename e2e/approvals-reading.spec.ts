import type { Page } from "@playwright/test";
import { expect, readToTheEnd, run, signIn, test } from "./gateway.ts";

const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join("");
/** Three marked commands with something between them that pushes the next one out of sight. */
const apart = (padding: string) => `echo mark-1${padding}invented-tool mark-2${padding}invented-tool mark-3`;

const SPELLINGS = {
  comments: apart(`\n${"# all is well\n".repeat(120)}`),
  "comments of different kinds": apart(`\n${many(80, (index) => `# step ${index} ${"is fine ".repeat(index % 9)}\n`)}`),
  "200 empty lines": apart("\n".repeat(200)),
  "60 parts": apart(`; ${many(60, (index) => `echo part ${index}; `)}`),
  "one long line": apart(`; echo ${"lorem-ipsum-".repeat(300)}; `),
  "a long word": apart(`; echo ${"x".repeat(3000)}; `),
  tabs: apart(`;${"\t".repeat(400)}`),
  spaces: apart(`;${" ".repeat(2000)}`),
  "no-break spaces": apart(`; echo '${"\u00a0".repeat(300)}'; `),
  "zero-width characters": apart(`; echo '${"\u200b".repeat(300)}'; `),
  "returns and cursor movements": apart(`; echo '${"\r\u001b[1A\u001b[2K".repeat(40)}'; `),
  "right-to-left words": apart(`; ${many(60, () => "echo 'שלום 12 עולם'; ")}`),
  "combining marks": apart(`; echo '${`a${"\u0301".repeat(40)} `.repeat(20)}'; `),
  "commands without effect": apart(`; ${": ; true; ".repeat(60)}`),
  "a here-document": `cat > notes.txt <<'END'\nmark-1\n${many(90, (index) => `line ${index}\n`)}mark-2\n${many(90, (index) => `line ${index}\n`)}END\ninvented-tool mark-3`,
  "a here-document that a shell reads": `sh <<'END'\necho mark-1\n${many(90, (index) => `echo ${index}\n`)}echo mark-2\n${many(90, (index) => `echo ${index}\n`)}invented-tool mark-3\nEND`,
  "a blob of 20 KB": `invented-tool mark-1 mark-2 ${"QmVsYXk0".repeat(2500)} mark-3`,
} as const;

const LAYOUTS = {
  "on a desk": { viewport: { width: 1280, height: 800 }, css: "", spellings: Object.keys(SPELLINGS) },
  "on a phone": {
    viewport: { width: 390, height: 844 },
    css: "",
    spellings: ["comments of different kinds", "60 parts", "one long line", "a here-document that a shell reads"],
  },
  "zoomed to 300 %": { viewport: { width: 427, height: 267 }, css: "", spellings: ["60 parts", "200 empty lines"] },
  "with more space between letters, words and lines": {
    viewport: { width: 1280, height: 800 },
    css: "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
    spellings: ["one long line", "60 parts"],
  },
} as const;

/** Notes in every frame which marks were really on top of everything, and which were not when Run was first enabled. */
async function watchMarks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    const state = { seen, unseenWhenEnabled: null as string[] | null };
    Object.assign(globalThis, { marks: state });
    const isOnTop = (box: Element, word: string) => {
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const at = node.nodeValue?.indexOf(word) ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        const { x, y, width, height } = range.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return hit !== null && box.contains(hit);
      }
      return false;
    };
    const look = () => {
      const box = document.querySelector("[aria-label='The command']");
      const button = [...document.querySelectorAll("button")].find((each) => each.textContent?.startsWith("Run once"));
      if (box) for (const word of ["mark-1", "mark-2", "mark-3"]) if (isOnTop(box, word)) seen.add(word);
      if (box && button && !button.disabled)
        state.unseenWhenEnabled ??= ["mark-1", "mark-2", "mark-3"].filter((word) => !seen.has(word));
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

for (const [layout, { viewport, css, spellings }] of Object.entries(LAYOUTS)) {
  test(`S14 ${layout}, Run is enabled only after everything that runs was really on the screen`, async ({
    page,
    gateway,
  }) => {
    await page.setViewportSize(viewport);
    await watchMarks(page);
    await signIn(page, gateway);
    const agent = await gateway.connectAgent("builder");
    await page.goto(`${gateway.url}/approvals`);
    if (css) await page.addStyleTag({ content: css });
    const asks = page.getByRole("region", { name: "builder asks" });
    const result: Record<string, string[] | null> = {};
    for (const spelling of spellings) {
      await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
      await page.evaluate("marks.seen.clear(); marks.unseenWhenEnabled = null");
      const reply = run(agent, SPELLINGS[spelling as keyof typeof SPELLINGS]);
      await expect(asks).toBeVisible();
      await readToTheEnd(asks);
      await expect(asks.getByRole("button", { name: "Run once" })).toBeEnabled();
      // It is noted in the next frame.
      await expect.poll(() => page.evaluate("marks.unseenWhenEnabled")).not.toBeNull();
      result[spelling] = (await page.evaluate("marks.unseenWhenEnabled")) as string[] | null;
      await asks.getByRole("button", { name: "Refuse" }).click();
      await page.getByLabel("Message to the agent").press("Enter");
      await reply;
    }
    expect(result).toEqual(Object.fromEntries(spellings.map((spelling) => [spelling, []])));
    await agent.close();
  });
}

test("S14 a long command is folded, its programs are listed first, and Run is disabled until all of it was seen", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const parts = Array.from({ length: 60 }, (_, index) => `echo step ${index}`).join("; ");
  const reply = run(agent, `${parts}${"\n".repeat(200)}${"# all is well\n".repeat(80)}invented-tool --wipe`);
  await page.goto(`${gateway.url}/approvals`);
  const asks = page.getByRole("region", { name: "builder asks" });

  await expect(asks.getByText("199 empty lines")).toBeVisible();
  await expect(asks.getByText("80 lines of comments")).toBeVisible();
  await expect(asks.getByRole("button", { name: "Run once" })).toBeDisabled();
  await expect(asks.getByText("Read all of it first")).toBeVisible();
  const more = asks.getByRole("button", { name: /^There is more (above|below)/ });
  await expect(more.first()).toHaveText(/\d+ more lines/);
  await readToTheEnd(asks);
  await expect(asks.getByRole("region", { name: "What actually runs" })).toContainText("invented-tool --wipe");
  await expect(asks.getByRole("button", { name: "Run once" })).toBeEnabled();
  await asks.getByRole("button", { name: "Refuse" }).click();
  await page.keyboard.press("Enter");
  await reply;
  await agent.close();
});

test("S10 the content of a script is shown before it is approved", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const agent = await gateway.connectAgent("builder");
  const writing = run(agent, "echo 'echo from the script; invented-tool' > greet.sh");
  await page.goto(`${gateway.url}/approvals`);
  await writing;
  const reply = run(agent, "bash greet.sh");
  const asks = page.getByRole("region", { name: "builder asks" });

  await expect(asks.getByRole("region", { name: /^Content of .*greet\.sh$/ })).toContainText("echo from the script");
  await readToTheEnd(asks);
  await asks.getByRole("button", { name: "Run once" }).click();

  expect((await reply).structuredContent).toMatchObject({ output: expect.stringContaining("from the script") });
  await agent.close();
});
