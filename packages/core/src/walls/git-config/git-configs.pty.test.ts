import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openTestFolder } from "../../testing/walls/sandbox-pool.ts";
import { parseGitConfig } from "./entries.ts";
import { GitConfigs, type RestoredConfig } from "./git-configs.ts";

let workspace: string;
let restored: RestoredConfig[];
let configs: GitConfigs;
const git = (...args: string[]) => execFileSync("git", ["-C", workspace, ...args], { encoding: "utf8", env: ENV });
const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
const config = () => join(workspace, ".git/config");

beforeEach(async () => {
  workspace = await openTestFolder();
  restored = [];
  git("init", "-q");
  configs = new GitConfigs((what) => restored.push(what));
  onTestFinished(() => configs.close());
});

/** Something was written; resolves when it has been looked at. */
async function untilRestored(count: number): Promise<void> {
  await vi.waitFor(() => expect(restored).toHaveLength(count), { timeout: 20_000, interval: 2 });
}

describe("C17 git settings of a workspace behind a wall", () => {
  it("C17 ordinary work is kept", () => {
    configs.enter(workspace, "pty-1");

    git("config", "user.name", 'A "quoted" name # and more');
    git("config", "user.email", "a@example.com");
    git("remote", "add", "origin", "https://example.com/r.git");
    git("remote", "add", "other", "git@example.com:r.git");
    git("config", "branch.main.remote", "origin");
    git("config", "branch.main.merge", "refs/heads/main");
    git("config", "pull.rebase", "true");
    git("submodule", "init");
    const before = readFileSync(config(), "utf8");
    configs.leave("pty-1");

    expect(restored).toEqual([]);
    expect(readFileSync(config(), "utf8")).toBe(before);
    expect(git("remote")).toBe("origin\nother\n");
  });

  it.each([
    ["core.fsmonitor", "./x"],
    ["core.sshCommand", "./x"],
    ["core.hooksPath", "hooks"],
    ["core.pager", "./x"],
    ["core.editor", "./x"],
    ["core.gitProxy", "./x"],
    ["core.askPass", "./x"],
    ["core.worktree", "/"],
    ["alias.st", "!./x"],
    ["alias.st", "-c core.fsmonitor=./x status"],
    ["filter.x.clean", "./x"],
    ["filter.lfs.process", "./x"],
    ["diff.external", "./x"],
    ["diff.x.textconv", "./x"],
    ["merge.x.driver", "./x"],
    ["credential.helper", "!./x"],
    ["credential.https://example.com.helper", "./x"],
    ["include.path", "../x"],
    ["includeIf.gitdir:/.path", "../x"],
    ["url.https://evil.example/.insteadOf", "https://example.com/"],
    ["http.proxy", "http://evil.example"],
    ["gpg.program", "./x"],
    ["sequence.editor", "./x"],
    ["pager.log", "./x"],
    ["remote.origin.uploadpack", "./x"],
    ["remote.origin.vcs", "x"],
    ["remote.origin.url", "ext::sh -c x"],
    ["remote.origin.url", "-oProxyCommand=x"],
    ["submodule.x.update", "!./x"],
    ["protocol.ext.allow", "always"],
    ["some.thing-new", "./x"],
  ])("C17 %s = %s is reverted", (key, value) => {
    git("config", "user.name", "kept");
    const before = readFileSync(config(), "utf8");
    configs.enter(workspace, "pty-1");

    git("config", key, value);
    configs.leave("pty-1");

    expect(readFileSync(config(), "utf8")).toBe(before);
    expect(restored).toMatchObject([{ members: ["pty-1"], file: config() }]);
  });

  it("C17 it is noticed while the program still runs, names the settings, and keeps the others", async () => {
    git("config", "user.name", "kept");
    configs.enter(workspace, "pty-1");

    git("config", "push.default", "current");
    git("config", "core.fsmonitor", "./x");
    git("config", "alias.st", "!./x");
    git("config", "branch.main.merge", "refs/heads/main");
    await untilRestored(1);
    git("config", "user.email", "b@example.com");
    configs.leave("pty-1");

    expect(restored[0]?.keys).toEqual(["core.fsmonitor", "alias.st"]);
    expect(git("config", "--local", "--get-regexp", "^(core.fsmonitor|user|alias|push|branch)")).toBe(
      "user.name kept\nuser.email b@example.com\npush.default current\nbranch.main.merge refs/heads/main\n",
    );
    expect(readFileSync(config(), "utf8")).not.toContain("alias");
  });

  it("C17 what a person had set before stays, and may be moved by git", () => {
    git("config", "core.hooksPath", ".husky");
    git("config", "alias.st", "status");
    configs.enter(workspace, "pty-1");

    git("config", "user.name", "x");
    git("config", "--unset", "alias.st");
    configs.leave("pty-1");

    expect(restored).toEqual([]);
    expect(git("config", "core.hooksPath")).toBe(".husky\n");
  });

  it.each([
    ["on the line of its section", "[core] fsmonitor = ./x\n"],
    ["in a line that goes on", "[core]\n\tfsmonitor = \\\n./x\n"],
    ["in capitals", "[CORE]\n\tFSMonitor = ./x\n"],
    ["in the old form of a subsection", '[credential.x]\n\thelper = "!x"\n'],
    ["behind a carriage return", "[user]\n\tname = x\r[core]\r\tfsmonitor = ./x\n"],
    ["behind a mark of the byte order", "\ufeff[core]\n\tfsmonitor = ./x\n"],
    ["without a section", "fsmonitor = ./x\n"],
    ["twice in a row", "[alias]\n\tst = !./x\n[alias]\n\tst = !./x\n"],
  ])("C17 a setting %s is reverted", (_, text) => {
    const before = readFileSync(config(), "utf8");
    configs.enter(workspace, "pty-1");

    appendFileSync(config(), text);
    configs.leave("pty-1");

    expect(readFileSync(config(), "utf8")).toBe(before);
  });

  it("C17 what is left never gets into another section", () => {
    configs.enter(workspace, "pty-1");

    appendFileSync(config(), "[alias]\n\tst = !./x\n[core]\n[color]\n\n\tfsmonitor = ./x\n");
    configs.leave("pty-1");

    expect(git("config", "--local", "--name-only", "--get-regexp", "alias|fsmonitor")).toBe("color.fsmonitor\n");
  });

  it("C17 links and folders in its place lead nowhere", async () => {
    const outside = join(await openTestFolder(), "profile");
    writeFileSync(outside, "the person's\n");
    const before = readFileSync(config(), "utf8");
    configs.enter(workspace, "pty-1");

    rmSync(config());
    symlinkSync(outside, config());
    await untilRestored(1);
    expect(lstatSync(config()).isFile()).toBe(true);
    rmSync(config());
    mkdirSync(config());
    await untilRestored(2);

    expect(readFileSync(config(), "utf8")).toBe(before);
    expect(readFileSync(outside, "utf8")).toBe("the person's\n");
  });

  it("C17 the settings of a worktree and of a repository that is made later are watched too", async () => {
    const later = await openTestFolder();
    configs.enter(workspace, "pty-1");
    configs.enter(later, "pty-1");

    git("config", "extensions.worktreeConfig", "true");
    git("config", "--worktree", "core.fsmonitor", "./x");
    execFileSync("git", ["init", "-q", later], { env: ENV });
    execFileSync("git", ["-C", later, "config", "core.fsmonitor", "./x"], { env: ENV });
    configs.leave("pty-1");

    expect(existsSync(join(workspace, ".git/config.worktree"))).toBe(false);
    expect(restored.map(({ file }) => file)).toContain(join(workspace, ".git/config.worktree"));
    expect(existsSync(join(later, ".git/config")) && readFileSync(join(later, ".git/config"), "utf8")).not.toContain(
      "fsmonitor",
    );
    expect(readdirSync(join(workspace, ".git")).filter((name) => name.startsWith("config"))).toEqual(["config"]);
  });

  it("C17 reads what git writes as git reads it", () => {
    const values = ['a "b" c', " spaces ", "back\\slash", "hash # here", "semi ; colon", "tab\there", "", "é ü"];
    for (const [at, value] of values.entries()) git("config", `test.sub "${at}" \\.name`, value);
    const listed = git("config", "--local", "--list", "--null")
      .split("\0")
      .filter((line) => line.startsWith("test."))
      .map((line) => line.split("\n"));

    const read = parseGitConfig(readFileSync(config(), "utf8"))?.filter(({ key }) => key.startsWith("test."));

    expect(read?.map(({ key }) => key)).toEqual(listed.map(([key]) => key));
    expect(read?.map(({ value }) => value.trim())).toEqual(listed.map(([, value = ""]) => value.trim()));
  });
});
