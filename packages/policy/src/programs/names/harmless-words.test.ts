import { describe, expect, it } from "vitest";
import { judge } from "../../judge.ts";
import { createPolicy, defaultPolicy } from "../../settings/policy.ts";
import { loadSecurityFile } from "../../settings/security-file.ts";

const decide = (text: string, profile = "trusted") =>
  judge(text, { profile, home: "/home/agent", workspace: "/home/agent/app", cwd: "/home/agent/app" }, defaultPolicy)
    .decision;

describe("P96 a program without a table asks in every built-in profile unless its words say that it is harmless", () => {
  it.each([
    // Nothing says what they do.
    "invented",
    "invented -c",
    "invented dist",
    "invented data.json",
    "npx -y @invented/cli",
    "git frobnicate",
    "git frobnicate -f",
    "/opt/invented/bin/git frobnicate",
    // The word for checking is the value of an option, or the object of another verb.
    "invented -c check x",
    "invented create list",
    "invented add check x",
    // They print what something holds.
    "inventedctl get nodes",
    "invented show x",
    // What controls something else.
    "inventedctl etcd snapshot x.db",
    "inventedctl frobnicate node-1",
    // An option that names a service, an account or a machine.
    "invented-configs.sh --bootstrap-server k:9092 --alter --entity-name t",
    "invented-acls --bootstrap-server k:9092 --add --operation All",
    "invented frobnicate --api-key x item",
    "invented frobnicate --endpoint https://x.example.net",
    // Files that go to another machine.
    "invented fs cp a.txt dbfs:/a.txt",
    "invented copy ./a remote:a",
    "invented image copy -b a --to-repo registry.example.net/b",
    // Verbs and things without a sign between them.
    "invented-dns.sh delrecord example.com id=1",
    "invented adduser bob",
    "invented acl create x",
    "invented plan:set x",
    "invented functions get-variable x",
    "invented connection:info x",
    "invented acl grant-access --consumer",
    "invented ide:create",
    "invented create oauth2-client",
    "invented clusters connectionStrings describe x",
    "invented perform code --client-secret x",
    "invented ai agent task cancel x",
    "invented show-model-credentials x",
    "invented authtoken x",
    // Messages.
    "to-slack -channel general hello",
    "invented slackwebhook -m hello",
    // Settings of the client itself.
    "invented profile print",
    "invented config get",
    "invented azure storage fetch-connection-string s",
    // A command line in one word.
    "invented exec cluster.yaml 'rm -rf data'",
    "invented exec cluster.yaml 'invented-two deploy prod'",
    "invented --wrap='kubectl delete ns x'",
    "invented ./scripts/deploy.sh",
    "uvx invented deploy",
    "pipx run aws s3 rb s3://b",
    "uv tool run vault kv get secret/x",
    "xargs -n1 printenv < names.txt",
  ])("%s", (line) => {
    expect(decide(line)).toBe("ask");
  });

  it.each([
    "inventedctl version",
    "invented --help",
    "invented list updates",
    "invented app:log:tail",
    "invented build --target x",
    "invented bench --url http://localhost:3000",
    "invented compute instance list",
    "invented-check src",
    "inventedlint --fix src",
    "git frobnicate status",
    // Tables say what these do.
    "pip install x",
    "docker network create x",
    "git remote update",
  ])("runs in trusted: %s", (line) => {
    expect(decide(line)).toBe("allow");
  });

  it.each(["bin/topics.sh --delete --topic t", "./tools/pack.sh --upload", "python tools/rows.py --purge"])(
    "an option of a script of the project: %s",
    (line) => {
      expect(decide(line, "standard")).toBe("ask");
    },
  );

  it.each([
    "./tools/pack.sh --out dist",
    "npm test -- --delete",
    "python tools/rows.py --no-delete",
    "python manage.py check --deploy",
  ])("runs in standard: %s", (line) => {
    expect(decide(line, "standard")).toBe("allow");
  });
});

it("P96 a described program that a team left out of its list of safe commands is unknown, and runs in trusted", () => {
  const loaded = loadSecurityFile(JSON.stringify({ safeCommands: ["ls"] }));
  const policy = loaded.ok ? createPolicy(loaded.policy.settings) : defaultPolicy;

  expect(judge("wc -l x", { profile: "standard" }, policy).decision).toBe("ask");
  expect(judge("wc -l x", { profile: "trusted" }, policy).decision).toBe("allow");
  expect(judge("invented x", { profile: "trusted" }, policy).decision).toBe("ask");
});

describe("P96 tasks of frameworks", () => {
  it.each([
    "php artisan horizon:terminate",
    "php artisan key:generate --show",
    "bin/console messenger:failed:remove 1",
    "python manage.py drop_test_database",
    "python manage.py sendtestemail x@example.com",
    "rake db:migrate VERSION=0",
    "supabase stop --no-backup",
  ])("%s asks", (line) => {
    expect(decide(line, "standard")).toBe("ask");
  });

  it.each(["php artisan cache:clear", "php artisan migrate", "python manage.py test send_mail"])("%s runs", (line) => {
    expect(decide(line, "standard")).toBe("allow");
  });
});
