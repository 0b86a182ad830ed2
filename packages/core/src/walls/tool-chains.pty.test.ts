import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasSandbox } from "../testing/walls/sandbox.ts";
import { openSandboxPool, openTestFolder } from "../testing/walls/sandbox-pool.ts";

/** Each finds its things as the real program does: by a variable, else in the home folder; its cache is in the home folder. */
const TOOLS = {
  ".cargo/bin/cargo": `cat "\${RUSTUP_HOME:-$HOME/.rustup}/settings" && mkdir -p "\${CARGO_HOME:-$HOME/.cargo}/registry" && echo cached`,
  ".pyenv/shims/python": `cat "\${PYENV_ROOT:-$HOME/.pyenv}/version" && mkdir -p ~/.cache/pip && echo cached`,
  ".nvm/versions/node/v1/bin/npm": `cat "\${NVM_DIR:-$HOME/.nvm}/alias" && mkdir -p ~/.npm && echo cached`,
  "go/bin/tool": `echo tool && mkdir -p "\${GOPATH:-$HOME/go}/pkg" && echo cached`,
};
const FILES = {
  ".rustup/settings": "stable",
  ".pyenv/version": "3.11",
  ".nvm/alias": "v1",
  ".ssh/id_ed25519": "a key",
};

describe.runIf(hasSandbox)("C4 tool chains of the home folder", () => {
  it("C4 work in a sandbox, read-only, with caches of their own", async () => {
    const home = await openTestFolder();
    for (const [path, text] of Object.entries({ ...TOOLS, ...FILES })) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), path in TOOLS ? `#!/bin/sh\n${text}\n` : `${text}\n`, { mode: 0o755 });
    }
    const readable = [".cargo/bin", ".rustup", ".pyenv", ".nvm", "go/bin"].map((path) => join(home, path));
    const test = await openSandboxPool({ readable });
    const path = Object.keys(TOOLS).map((tool) => dirname(join(home, tool)));
    const { id } = await test.spawn({ env: { PATH: [...path, "/usr/bin", "/bin"].join(":") } });
    const say = async (line: string) => (await test.outputOf(await test.run(id, line))).replaceAll("\r\n", " ").trim();

    expect(await say("cargo")).toBe("stable cached");
    expect(await say("python")).toBe("3.11 cached");
    expect(await say("npm")).toBe("v1 cached");
    expect(await say("tool")).toBe("tool cached");
    expect(await say(`echo x > ${home}/.rustup/x || echo kept`)).toMatch(/Read-only file system kept$/);
    expect(await say(`ls -A1 ${home}`)).toBe(".cargo .nvm .pyenv .rustup go");
    expect(readdirSync(join(home, ".cargo"))).toEqual(["bin"]);
  });
});
