import { describe, expect, test } from "vitest";
import { judge } from "../judge.ts";
import { createPolicy, defaultPolicy } from "../settings/policy.ts";
import { loadSecurityFile } from "../settings/security-file.ts";
import { freshWall, type WallContext, type WallOpenings } from "./openings.ts";

const fresh = freshWall(defaultPolicy.settings, "sandbox");
const HOME = "/home/agent";

function decide(text: string, changes: Partial<WallOpenings> = {}, policy = defaultPolicy) {
  const { network, openings } = freshWall(policy.settings, "sandbox");
  const wall = { network, openings: { ...openings, ...changes } } as WallContext;
  return judge(text, { home: HOME, workspace: `${HOME}/workspace`, wall }, policy);
}

function policyOf(settings: object) {
  const loaded = loadSecurityFile(JSON.stringify(settings));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  return createPolicy(loaded.policy.settings);
}

const CLOUD = "kubectl delete namespace some-space";

describe("X12 clouds and other machines", () => {
  test.each([
    CLOUD,
    "aws s3 rm s3://some-bucket/key",
    "az group delete -n some-group",
    "helm upgrade web ./chart",
    "ssh some-host uptime",
    "scp out.tgz some-host:/srv",
    "curl -X POST https://hooks.example.com/x -d '{}'",
    "docker volume rm some-volume",
    "docker push some-image",
  ])("X12 the wall asks when it connects, or there is nothing to connect to: %s", (text) => {
    expect(judge(text, {}, defaultPolicy).decision).toBe("ask");
    expect(judge(text, { wall: { network: "allowlist" } }, defaultPolicy).decision).toBe("ask");
    expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" });
  });

  test.each([
    "git push origin main",
    "gh pr merge 12",
    "npm publish",
    "cargo publish",
    "terraform apply",
    "psql -c 'drop table some_table'",
    "curl -X POST https://api.github.com/repos/x/y/issues -d '{}'",
    "curl -X DELETE https://registry.npmjs.org/some-package",
    'curl -X POST "$URL" -d x',
    "curl -X POST https://{api.github.com,example.com}/x -d x",
    "curl --connect-to ::api.github.com:443 -X POST https://example.com -d x",
    "curl -K some-settings https://example.com",
    "docker -H unix:///home/agent/workspace/docker.sock volume rm some-volume",
    "DOCKER_HOST=unix:///x docker volume rm some-volume",
    "kubectl get secret some-secret -o yaml",
  ])("X12 still asks about what listed hosts, or no wall, would let through: %s", (text) =>
    expect(decide(text).decision).toBe("ask"),
  );

  test("X12 a host that a person allowed may be the one that is meant, so the command asks again", () => {
    const rule = { id: "seen", decision: "allow", program: "connect-to", args: ["cluster.example:6443"] };

    expect(decide(CLOUD, { hosts: ["cluster.example:6443"] }).decision).toBe("ask");
    expect(decide(CLOUD, {}, policyOf({ network: { hosts: ["*.example"] } })).decision).toBe("ask");
    expect(decide(CLOUD, {}, policyOf({ rules: [rule] })).decision).toBe("ask");
    expect(decide(CLOUD, {}, policyOf({ rules: [{ id: "any", decision: "allow", pattern: "other" }] })).decision).toBe(
      "ask",
    );
    expect(decide(CLOUD, {}, policyOf({ rules: [{ id: "x", decision: "allow", pattern: "^make" }] })).decision).toBe(
      "allow",
    );
    expect(decide("curl -X POST https://a.example/x -d x", { hosts: ["*.example:8443"] }).decision).toBe("ask");
    expect(decide("curl -X POST https://b.example/x -d x", { hosts: ["a.example"] }).decision).toBe("allow");
  });

  test("X12 with the machine's own network, or sockets that were let in, they ask", () => {
    const wall = { ...fresh, network: "host" } as const;

    expect(judge(CLOUD, { wall }, defaultPolicy).decision).toBe("ask");
    expect(judge("docker volume rm some-volume", { wall }, defaultPolicy).decision).toBe("ask");
    expect(decide("docker volume rm some-volume", { readable: ["/run/docker.sock"] }).decision).toBe("ask");
    expect(decide("docker volume rm some-volume", { env: ["DOCKER_HOST"] }).decision).toBe("ask");
  });
});

describe("X12 files", () => {
  test.each(["rm notes.txt", "rm -rf src", "rm *.log", "rm -rf ~/.cache/some-tool", "rmdir ../other-project"])(
    "X12 what is deleted is in the trash, or out of reach: %s",
    (text) => expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" }),
  );

  test.each([
    "/bin/rm notes.txt",
    "env -i rm notes.txt",
    "ls | xargs rm",
    "unlink notes.txt",
    "find . -name '*.notes' -delete",
    'rm "$FILE"',
    "rm -rf *",
    'rm -rf "$PWD"',
    "rm .env",
    "unlink /home/*/workspace/notes.txt",
    "shred notes.txt",
  ])("X12 still asks about what nothing keeps: %s", (text) => expect(decide(text).decision).not.toBe("allow"));

  test("X12 asks without a trash, and about folders that were let in", () => {
    expect(decide("rm notes.txt", { hasTrash: false }).decision).toBe("ask");
    expect(decide("unlink /srv/shared/notes.txt").decision).toBe("allow");
    expect(decide("unlink /srv/shared/notes.txt", { writable: ["/srv/shared"] }).decision).toBe("ask");
    expect(decide("unlink ~/shared/notes.txt", { writable: ["~/shared"] }).decision).toBe("ask");
  });

  test.each(["git reset --hard HEAD~1", "git restore .", "git checkout -- src", "git clean -fd", "git rm -r docs"])(
    "X12 git may discard what an undo restores: %s",
    (text) => {
      expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" });
      expect(decide(text, { hasUndo: false }).decision).toBe("ask");
    },
  );

  test.each([
    "git clean -fdx",
    "git clean -ffd",
    "git clean -f -f",
    "git stash drop",
    "git branch -D some-branch",
    "git reflog expire --all --expire=now",
    "git -C ../other-project reset --hard",
    "cd .. && git reset --hard",
    "GIT_DIR=../other/.git git reset --hard",
  ])("X12 still asks about what an undo does not restore: %s", (text) => expect(decide(text).decision).toBe("ask"));
});

describe("X12 secrets and settings of the home", () => {
  test("X12 a key in the person's home is not there, unless it was let in", () => {
    expect(decide("cat ~/.ssh/id_ed25519")).toMatchObject({ decision: "allow", layer: "wall" });
    expect(decide("cat /root/.ssh/id_ed25519").decision).toBe("allow");
    expect(decide("cat ~/.ssh/id_ed25519", { readable: ["~/.ssh"] }).decision).toBe("ask");
    expect(decide("cat ~/.ssh/id_ed25519", { homeNames: [".ssh"] }).decision).toBe("ask");
    expect(decide("cat ~/.ss*/id_ed25519").decision).toBe("ask");
  });

  test.each(["cat .env", "cat id_ed25519", "env", "printenv GITHUB_TOKEN", "gh auth token", "cat /proc/self/environ"])(
    "X12 still asks about secrets that may be there: %s",
    (text) => expect(decide(text).decision).toBe("ask"),
  );

  test.each(["git config --global core.editor some-editor", "npm config set registry https://example.com"])(
    "X12 settings in the agent's own home: %s",
    (text) => {
      expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" });
      expect(decide(text, { writable: ["~/.config"] }).decision).toBe("ask");
    },
  );

  test.each([
    "git config core.hooksPath some-folder",
    "git config --file .gitmodules core.hooksPath x",
    "npm config set registry https://example.com --location=project",
    "poetry config some.key value",
    "gh auth login",
    "kubectl config set-credentials some-user --token=x",
  ])("X12 still asks about settings that a person uses, and about signing in: %s", (text) =>
    expect(decide(text).decision).toBe("ask"),
  );
});
