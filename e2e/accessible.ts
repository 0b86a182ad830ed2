import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const EVERY_RULE = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules that look at colours; nothing else differs between the schemes. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Everything of WCAG 2.2 A and AA that a machine can check, in both colour schemes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const axe = new AxeBuilder({ page });
    const { violations } = await (colorScheme === "dark" ? axe.withTags(EVERY_RULE) : axe.withRules(COLOUR_RULES))
      // xterm builds this accessibility tree, and it does not meet our rules.
      .exclude(".xterm")
      .analyze();
    expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(" ")) }))).toEqual([]);
  }
}
