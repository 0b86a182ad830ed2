import { expectAccessible } from "./accessible.ts";
import { expect, type GatewayProcess, signIn, test } from "./gateway.ts";

/** What Claude Code sends before it runs a command in its own shell. */
async function ask(
  gateway: GatewayProcess,
  token: string,
  command: string,
  signal: AbortSignal | null = null,
): Promise<string> {
  const response = await fetch(`${gateway.url}/hooks/claude?timeout=120`, {
    method: "POST",
    signal,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      session_id: "conversation-1",
      cwd: "/",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: command,
    }),
  });
  const { hookSpecificOutput } = (await response.json()) as { hookSpecificOutput: { permissionDecision: string } };
  return hookSpecificOutput.permissionDecision;
}

test("G9 W3 a command of a client's own shell is approved in the console, and its conversation is a timeline", async ({
  page,
  gateway,
}) => {
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/clients`);
  await expect(page.getByText("No client asks yet")).toBeVisible();
  await expectAccessible(page);
  const added = await gateway.cli("agent", "add", "claude", "--profile", "standard", "--json");
  const { token } = JSON.parse(added) as { token: string };
  expect(await ask(gateway, token, "git status")).toBe("allow");

  const answer = ask(gateway, token, "invented-tool --check");
  await page.goto(`${gateway.url}/approvals`);
  await expect(page.getByText("Claude Code's own shell, outside Belay's walls")).toBeVisible();
  await expect(page.getByRole("radio", { name: "This conversation" })).toBeAttached();
  await page.getByRole("button", { name: "Run once" }).click();

  expect(await answer).toBe("allow");
  await page.goto(`${gateway.url}/clients`);
  await page.getByRole("link", { name: /claude.*Claude Code.*2 commands/s }).click();
  const commands = page.getByRole("list", { name: "Commands, newest first" }).getByRole("listitem");
  await expect(commands).toHaveCount(2);
  await expect(commands.nth(0)).toContainText(/invented-tool --check.*allowed.*approved/s);
  await expectAccessible(page);
});

test("G9 a client that gives up is shown as gone, and its question is withdrawn", async ({ page, gateway }) => {
  await signIn(page, gateway);
  const added = await gateway.cli("agent", "add", "claude", "--profile", "standard", "--json");
  const { token } = JSON.parse(added) as { token: string };
  const gone = new AbortController();
  const answer = ask(gateway, token, "invented-tool --check", gone.signal).catch(() => "none");
  await page.goto(`${gateway.url}/approvals`);
  await expect(page.getByText("Claude Code's own shell, outside Belay's walls")).toBeVisible();

  gone.abort();

  expect(await answer).toBe("none");
  await expect(page.getByText("Nothing is waiting for you")).toBeVisible();
  await page.goto(`${gateway.url}/clients`);
  await page.getByRole("link", { name: /claude.*Claude Code.*1 command/s }).click();
  const commands = page.getByRole("list", { name: "Commands, newest first" }).getByRole("listitem");
  await expect(commands).toContainText(/invented-tool --check.*withdrawn.*the client had gone before it was told/s);
});
