import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../run.mjs";
import { ADMIN } from "./gateway.mjs";

/** A person who is signed in to the console, in a real browser. */
export async function openBrowser({ url }) {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  const playwright = createRequire(join(ROOT, "package.json")).resolve("@playwright/test");
  const { chromium } = (await import(pathToFileURL(playwright).href)).default;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage();
  const answer = await page.request.post(`${url}/api/auth/sign-in/email`, { data: ADMIN });
  if (!answer.ok()) throw new Error(`The browser could not sign in: ${await answer.text()}`);
  return {
    /** Waits for the question about this command, and says yes. */
    async approve(command) {
      await page.goto(`${url}/approvals`);
      await page.getByText(command).first().waitFor({ timeout: 90_000 });
      await page.getByText("outside Belay's walls").first().waitFor();
      const run = page.getByRole("button", { name: "Run once" });
      // A click on a question that has only just appeared does not count.
      for (let tries = 0; tries < 10 && (await run.isVisible()); tries += 1) {
        await run.click({ timeout: 2_000 }).catch(() => {});
        await run.waitFor({ state: "hidden", timeout: 2_000 }).catch(() => {});
      }
      if (await run.isVisible()) throw new Error("the console took no answer");
    },
    close: () => browser.close(),
  };
}
