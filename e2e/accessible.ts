import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Everything of WCAG 2.2 A and AA that a machine can check, in both colour schemes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await new AxeBuilder({ page })
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
      // xterm builds this accessibility tree, and it does not meet our rules.
      .exclude(".xterm")
      .analyze();
    expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(" ")) }))).toEqual([]);
  }
}
