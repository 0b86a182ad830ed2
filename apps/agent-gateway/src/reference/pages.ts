import { apiPage } from "../doors/trpc/reference.ts";
import { cliPage } from "./cli.ts";
import { readPage, withClients, withHookTable } from "./connect.ts";
import { policyPage } from "./policy.ts";
import { envExample, settingsPage } from "./settings.ts";

const ROOT = new URL("../../../../", import.meta.url);

/** Generated pages of the documentation, by their path from the root of the project. */
export function generatedPages(): Record<string, string> {
  return {
    ".env.example": envExample(),
    "docs/reference/settings.md": settingsPage(),
    "docs/reference/policy.md": policyPage(),
    "docs/reference/cli.md": cliPage(),
    "docs/reference/api.md": apiPage(),
    "docs/connect.md": withClients(readPage(new URL("docs/connect.md", ROOT))),
    "docs/hooks.md": withHookTable(readPage(new URL("docs/hooks.md", ROOT))),
  };
}
