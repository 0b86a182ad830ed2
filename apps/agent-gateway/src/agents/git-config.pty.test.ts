import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { hasSandbox, startSandboxedGateway } from "../testing/sandboxed-gateway.ts";

/** In a file, because what it does is not what is judged here. */
const WORK = `set -e
git config user.name tester; git config user.email tester@example.com
echo x > file; git add file; git commit -qm first
git init -q --bare remote.git; git remote add origin "$PWD/remote.git"
git push -qu origin HEAD; git rev-parse --abbrev-ref '@{upstream}' | sed 's/^/tracks /'
git config core.fsmonitor ./evil.sh; git config --global core.pager ./evil.sh; echo written
`;

describe.runIf(hasSandbox)("C17 git in a sandbox", () => {
  test.each(["terminal", "one-shot"] as const)("C17 works in a %s, and cannot leave a program behind", async (how) => {
    const gateway = await startSandboxedGateway();
    const { workspace } = gateway;
    execFileSync("git", ["init", "-q", "-b", "main", workspace]);
    writeFileSync(join(workspace, "work.sh"), WORK);
    writeFileSync(join(workspace, "evil.sh"), "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
    const operator = await gateway.asPerson("operator");
    const agent = await gateway.connectAgent({ toolset: how === "terminal" ? "unified" : "sessions" });

    const said = JSON.stringify(
      await agent.client.callTool({
        name: how === "terminal" ? "terminal" : "bash",
        arguments: { command: "bash work.sh" },
      }),
    );
    await vi.waitFor(() => expect(readFileSync(join(workspace, ".git/config"), "utf8")).not.toContain("fsmonitor"), {
      timeout: 20_000,
      interval: 5,
    });
    execFileSync("git", ["-C", workspace, "status"]);

    expect(said).toContain("tracks origin/main");
    expect(said).toContain("written");
    expect(existsSync(join(workspace, "ran"))).toBe(false);
    const settings = readFileSync(join(workspace, ".git/config"), "utf8");
    expect(settings).toMatch(/\[remote "origin"\]\n\turl = .*remote\.git/);
    expect(settings).toMatch(/\[branch "main"\]\n\tremote = origin/);
    await vi.waitFor(
      async () =>
        expect(await operator.audit.search.query({ types: ["wall.git-config-restored"] })).toMatchObject({
          events: [{ detail: { keys: ["core.fsmonitor"], file: join(workspace, ".git/config") } }],
        }),
      { timeout: 20_000 },
    );
  });
});
