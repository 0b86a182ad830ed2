import { describe, expect, test } from "vitest";
import { judge } from "../judge.ts";
import { emptyMemory, forgetValues } from "../language/state/memory.ts";
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
    "docker inspect some-container --format '{{.Config.Env}}'",
    "ansible-playbook site.yml",
    "packer build template.json",
  ])("X12 the wall asks when it connects, or there is nothing to connect to: %s", (text) => {
    expect(judge(text, {}, defaultPolicy).decision).toBe("ask");
    expect(judge(text, { wall: { network: "allowlist" } }, defaultPolicy).decision).toBe("ask");
    expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" });
  });

  test.each([
    "git push origin main",
    "npm publish",
    "cargo publish",
    "terraform apply",
    "curl -X POST https://api.github.com/repos/x/y/issues -d '{}'",
    "curl -X DELETE https://registry.npmjs.org/some-package",
    'curl -X POST "$URL" -d x',
    "curl -X POST https://{api.github.com,example.com}/x -d x",
    "curl --connect-to ::api.github.com:443 -X POST https://example.com -d x",
    "curl -K some-settings https://example.com",
    "docker -H unix:///home/agent/workspace/docker.sock volume rm some-volume",
    "DOCKER_HOST=unix:///x docker volume rm some-volume",
    "rsync -a --delete some-folder/ other-folder/",
    "sqlite3 app.db 'drop table some_table'",
    "bin/rails db:drop",
  ])("X12 still asks about what listed hosts, or no wall, would let through: %s", (text) =>
    expect(decide(text).decision).toBe("ask"),
  );

  test("X12 a host that a person allowed may be the one that is meant, so with credentials the command asks again", () => {
    const rule = { id: "seen", decision: "allow", program: "connect-to", args: ["cluster.example:6443"] };
    const signedIn = { homeNames: [".kube"] };

    expect(decide(CLOUD, signedIn).decision).toBe("allow");
    expect(decide(CLOUD, { ...signedIn, hosts: ["cluster.example:6443"] }).decision).toBe("ask");
    expect(decide(CLOUD, { hosts: ["cluster.example:6443"] }).decision).toBe("allow");
    expect(decide(`${CLOUD} --server=https://cluster.example`, { hosts: ["cluster.example"] }).decision).toBe("ask");
    expect(decide(CLOUD, signedIn, policyOf({ network: { hosts: ["*.example"] } })).decision).toBe("ask");
    expect(decide(CLOUD, signedIn, policyOf({ rules: [rule] })).decision).toBe("ask");
    const other = policyOf({ rules: [{ id: "any", decision: "allow", pattern: "other" }] });
    expect(decide(CLOUD, signedIn, other).decision).toBe("ask");
    const unrelated = policyOf({ rules: [{ id: "x", decision: "allow", pattern: "^make" }] });
    expect(decide(CLOUD, signedIn, unrelated).decision).toBe("allow");
    expect(decide("aws s3 cp some-file s3://some-bucket --no-sign-request", { hosts: ["a.example"] }).decision).toBe(
      "ask",
    );
    expect(decide("helm push x.tgz oci://a.example/charts", { hosts: ["a.example"] }).decision).toBe("ask");
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
  test.each([
    "rm notes.txt",
    "rm -rf src",
    "rm *.log",
    "rm -rf ~/.cache/some-tool",
    "rmdir ../other-project",
    "rmdir a b",
  ])("X12 what is deleted is in the trash, or out of reach: %s", (text) =>
    expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" }),
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
    "git stash clear",
    "git gc --prune=now",
    "git -C ../other-project branch -D some-branch",
    "git reflog expire --all --expire=now",
    "git -C ../other-project reset --hard",
    "cd .. && git reset --hard",
    "GIT_DIR=../other/.git git reset --hard",
  ])("X12 still asks about what an undo does not restore: %s", (text) => expect(decide(text).decision).toBe("ask"));
});

describe("X12 names of commits, processes and cron", () => {
  test.each([
    "git branch -D some-branch",
    "git branch -d some-branch",
    "git tag -d v1.0",
    "git tag -f v1.0",
    "git stash drop stash@{2}",
    "git remote prune origin",
    "fuser -k 3000/tcp",
    "crontab -r",
    "history -c",
  ])("X12 nothing outside ends, and git keeps what it no longer names: %s", (text) => {
    expect(judge(text, {}, defaultPolicy).decision).toBe("ask");
    expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" });
  });
});

describe("X12 databases", () => {
  const DROP = "psql -c 'drop table some_table'";

  test.each([
    DROP,
    "redis-cli flushall",
    "mysql -e 'drop database some_base'",
    "dropdb some_base",
    "pg_dump some_base",
  ])("X12 only a server of the agent's own can be reached: %s", (text) => {
    expect(judge(text, {}, defaultPolicy).decision).toBe("ask");
    expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" });
  });

  test("X12 asks if a socket or a host was let in, or is named", () => {
    expect(decide(DROP, { readable: ["/run/postgresql"] }).decision).toBe("ask");
    expect(decide(DROP, { writable: ["/srv/sockets"] }).decision).toBe("ask");
    expect(decide(DROP, { hosts: ["db.example:5432"] }).decision).toBe("ask");
    expect(decide(DROP, { env: ["PGHOST"] }).decision).toBe("ask");
    expect(judge(DROP, { wall: { ...fresh, network: "host" } }, defaultPolicy).decision).toBe("ask");
    for (const text of [
      "psql -h ./sockets -c 'drop table some_table'",
      "psql 'host=./sockets' -c 'drop table some_table'",
      "psql postgresql://%2Fhome%2Fsockets/base -c 'drop table some_table'",
      "PGHOST=./sockets dropdb some_base",
      "redis-cli -s ./redis.sock flushall",
      'dropdb "$NAME"',
    ])
      expect(decide(text).decision, text).toBe("ask");
  });
});

describe("X12 accounts", () => {
  const MERGE = "gh pr merge 12";
  const after = (before: string, text: string) => {
    const { memoryAfter } = decide(before);
    return judge(text, { home: HOME, workspace: `${HOME}/workspace`, wall: fresh, memory: memoryAfter }, defaultPolicy);
  };

  test.each([
    MERGE,
    "gh release upload v1 ./dist/*",
    "gh auth token",
    "aws secretsmanager get-secret-value --secret-id some-secret",
    "kubectl get secret some-secret -o yaml",
    "kubectl config view --raw",
    "gcloud auth print-access-token",
    "gpg --export-secret-keys",
  ])("X12 a program without credentials changes and prints nothing: %s", (text) => {
    expect(judge(text, {}, defaultPolicy).decision).toBe("ask");
    expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" });
  });

  test("X12 asks if a person signed in there, or let a credential in", () => {
    expect(decide(MERGE, { homeNames: [".config", ".config/gh"] }).decision).toBe("ask");
    expect(decide(MERGE, { homeNames: [".config", ".config/some-tool"] }).decision).toBe("allow");
    expect(decide(MERGE, { readable: ["~/.config"] }).decision).toBe("ask");
    expect(decide(MERGE, { readable: ["~/.config/gh/hosts.yml"] }).decision).toBe("ask");
    expect(decide(MERGE, { env: ["GH_TOKEN"] }).decision).toBe("ask");
    expect(decide(MERGE, { homeNames: [".bashrc"] }).decision).toBe("ask");
    expect(decide(MERGE, { startsPlain: false }).decision).toBe("ask");
    expect(decide("kubectl get secret some-secret -o yaml", { homeNames: [".kube"] }).decision).toBe("ask");
    const signedIn = { homeNames: [".kube"], hosts: ["cluster.example"] };
    expect(decide("kubectl get secret some-secret -o yaml", signedIn).decision).toBe("ask");
  });

  test.each([
    `GH_TOKEN=some-token ${MERGE}`,
    `export GH_TOKEN=some-token; ${MERGE}`,
    `source ./setup.sh && ${MERGE}`,
    `bash -c '. ./setup.sh; ${MERGE}'`,
    `export $(cat some-file); ${MERGE}`,
    `direnv exec . ${MERGE}`,
    `XDG_CONFIG_HOME=./settings ${MERGE}`,
    `HOME=. ${MERGE}`,
    'gh api -X POST repos/o/r/issues -H "Authorization: token some-token"',
    "kubectl --kubeconfig ./admin.conf get secret some-secret -o yaml",
    "gpg --homedir ./keys --export-secret-keys",
    'gh pr merge "$(cat number)"',
    "gh auth login",
  ])("X12 asks if the command brings a credential, or may: %s", (text) => expect(decide(text).decision).toBe("ask"));

  test("X12 asks from the moment on at which the shell may have variables from elsewhere", () => {
    expect(after("cd src", MERGE).decision).toBe("allow");
    expect(after("source .venv/bin/activate", MERGE).decision).toBe("allow");
    expect(after("source ./setup.sh", MERGE).decision).toBe("ask");
    expect(after("export GITHUB_TOKEN=some-token", MERGE).decision).toBe("ask");
    const lent = { home: HOME, workspace: `${HOME}/workspace`, wall: fresh, memory: forgetValues(emptyMemory) };
    expect(judge(MERGE, lent, defaultPolicy).decision).toBe("ask");
    expect(judge("env", lent, defaultPolicy).decision).toBe("ask");
  });

  test("X12 files with secrets still ask, read by whichever program", () => {
    expect(decide("gpg --symmetric .env").decision).toBe("ask");
    expect(decide("gh secret set SOME_NAME < .env").decision).not.toBe("allow");
  });
});

describe("X12 secrets and settings of the home", () => {
  test("X12 a key in the person's home is not there, unless it was let in", () => {
    expect(decide("cat ~/.ssh/id_ed25519")).toMatchObject({ decision: "allow", layer: "wall" });
    expect(decide("cat /root/.ssh/id_ed25519").decision).toBe("allow");
    expect(decide("cat ~/.ssh/id_ed25519", { readable: ["~/.ssh"] }).decision).toBe("ask");
    expect(decide("cat ~/.ssh/id_ed25519", { homeNames: [".ssh"] }).decision).toBe("ask");
    expect(decide("cat ~/.ss*/id_ed25519").decision).toBe("ask");
  });

  test.each(["cat .env", "cat id_ed25519", "git credential fill", "cat .env | env", "env; cat .env"])(
    "X12 still asks about secrets that may be there: %s",
    (text) => expect(decide(text).decision).toBe("ask"),
  );

  test.each([
    "env",
    "printenv GITHUB_TOKEN",
    'echo "$API_KEY"',
    "export -p",
    "cat /proc/self/environ",
    "env | grep AWS",
  ])("X12 no variable of people's is there, unless one was let in: %s", (text) => {
    expect(judge(text, {}, defaultPolicy).decision).toBe("ask");
    expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" });
    expect(decide(text, { env: ["SOME_TOKEN"] }).decision).toBe("ask");
    expect(decide(text, { startsPlain: false }).decision).toBe("ask");
    expect(decide(`. ./setup.sh; ${text}`).decision).toBe("ask");
  });

  test.each(["cat /etc/shadow", "cat /dev/sda", "cat /run/secrets/some-secret"])(
    "X12 what the system keeps from ordinary users is not there: %s",
    (text) => {
      expect(decide(text)).toMatchObject({ decision: "allow", layer: "wall" });
      expect(decide(text, { readable: ["/etc", "/dev", "/run/secrets"] }).decision).toBe("ask");
    },
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
