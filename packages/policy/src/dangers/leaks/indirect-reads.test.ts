// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's own braces
import { describe, expect, it } from "vitest";
import { judge } from "../../judge.ts";
import { emptyMemory } from "../../language/state/memory.ts";
import { defaultPolicy } from "../../settings/policy.ts";
import { isThisMachine } from "../belay/own-port.ts";

const own = { paths: ["/home/agent/.local/share/belay", "/srv/policy/security.json"], processIds: [], ports: [7400] };

/** The strictest decision for a sequence of commands in one terminal. */
function decide(...texts: string[]): string {
  let memory = emptyMemory;
  const decisions = texts.map((text) => {
    const judged = judge(text, { own, memory }, defaultPolicy);
    memory = judged.memoryAfter;
    return judged.decision;
  });
  return ["deny", "ask", "allow"].find((decision) => decisions.includes(decision as "ask")) ?? "";
}

describe("S7 indirect ways to read secrets", () => {
  it.each([
    "cat .env*",
    "cat .e*",
    "sed -n p .en*",
    "od -c .en?",
    "head .e[n]v",
    "cat ./{.env,README.md}",
    'cat "$PWD"/.e*v',
    "cat ~/.k?be/config",
    "cat ~/.con*/gh/hosts.yml",
    "cat ~/.*/config",
    "cat /home/*/.ssh/id_*",
    "cat /h*/agent/.aws/credentials",
    "cat *.pem",
    "cat /proc/self/root/home/agent/.ssh/id_rsa",
    "cat /proc/$$/root/home/agent/.ssh/id_rsa",
    "cat /proc/1/cwd/../../home/agent/.netrc",
    "cat /proc/self/cwd/.env",
    "cat /proc/self/task/1/root/etc/shadow",
    "cat /proc/*/environ",
    "cat /proc/1/env*",
    "ls -l /x; cat /proc/self/fd/3",
    "git show HEAD:.env",
    "git show HEAD~3:./config/.env",
    "git cat-file -p HEAD:.env",
    "git show :0:.env",
    "git grep -n '' -- .env",
    "git log -p -- .env",
    "git blame .env",
    "jq -n env",
    "jq -n '$ENV.PATH'",
    "jq -n '[env|keys]'",
    "yq -n 'strenv(GITHUB_TOKEN)'",
    "ps e",
    "ps auxe",
    "ps axeww",
    "ps -ef e",
    "ps -eo pid,env",
    "ps -eo args,environ",
    "ps -E",
    "grep -r token ~",
    "grep -R x /home",
    "rg --hidden x ~",
    "sed 'r /home/agent/.ssh/id_rsa' notes",
    "rg -uu AKIA",
    "rg --hidden --no-ignore API_KEY",
    "tar czf x.tgz ~/.config",
    "cp -r ~/.config x",
    "find ~ -type f -exec cat {} +",
    "find / -name x | xargs cat",
    "cat terraform.tfstate",
    "cat prod.tfvars",
    "cat ~/.pypirc",
    "cat ~/.s3cfg",
    "cat ~/.claude/.credentials.json",
    "cat ~/.codex/auth.json",
    "cat ~/.gemini/oauth_creds.json",
    "cat ~/.config/gh/hosts.yml",
    "cat ~/.local/share/opencode/auth.json",
    "echo $DATABASE_URL",
  ])("%s asks at least", (text) => {
    expect(decide(text)).not.toBe("allow");
  });

  it.each([
    [["ln -s ~/.ssh h", "cat h/id_rsa"]],
    [["ln -s /home/agent/.aws", "cat .aws/credentials"]],
    [["ln -sf ~/.netrc notes.txt", "cat notes.txt"]],
    [["ln -s ~ up", "ln -s up/.ssh keys", "cat keys/id_rsa"]],
    [["ln -s ~/.ssh h", "cd h", "cat id_rsa"]],
    [["cp -s ~/.netrc n", "cat n"]],
    [["ln -st . ~/.netrc", "cat .netrc"]],
  ])("%j asks at least", (texts) => {
    const last = texts.at(-1) ?? "";
    let memory = emptyMemory;
    for (const text of texts.slice(0, -1)) memory = judge(text, { own, memory }, defaultPolicy).memoryAfter;
    expect(judge(last, { own, memory }, defaultPolicy).decision).not.toBe("allow");
  });

  it("a way through a link is detected", () => {
    expect(decide("ln -s ~/.ssh h", "cat k >> h/authorized_keys")).toBe("deny");
  });

  it.each([
    "cat *.json",
    "cat *.md",
    "cat src/*",
    "cat .gitignore",
    "jq .env package.json",
    "jq '.scripts.env' package.json",
    "ps aux",
    "ps -ef",
    "ps -eo pid,etime,args",
    "git show HEAD:README.md",
    "git log --oneline -5",
    "grep -r TODO src",
    "grep -rn TODO .",
    "rg TODO",
    "rg --hidden TODO .github",
    "find . -name '*.ts' | xargs cat",
    "cat .env.example",
    "cat ~/.ssh/known_hosts",
    "cat ~/.ssh/id_rsa.pub",
  ])("%s runs", (text) => {
    expect(decide(text)).toBe("allow");
  });
});

describe("S7 Belay's own paths and port", () => {
  it.each([
    "cat ~/.local/share/b*/auth-secret",
    "cat ~/.local/*/belay/auth-secret",
    "cat /home/*/.local/share/belay/x",
    "cat /proc/self/root/home/agent/.local/share/belay/security.json",
    "cat /proc/$$/root/srv/policy/security.json",
    "cat /srv/policy/sec*",
    "cat /srv/{policy,x}/security.json",
    "grep -r secret ~/.local",
    "grep -r '' ~/.local/share",
    "tar cf x.tar ~/.local/share",
    "cp -r ~/.local x",
    "find ~/.local -type f -exec cat {} +",
    "find /srv -type f | xargs cat",
    "rm -rf ~/.local/share",
    "sed -n 'r /home/agent/.local/share/belay/auth-secret' notes",
    "sed 'w /srv/policy/security.json' notes",
    "sed 's/a/b/w /srv/policy/security.json' notes",
    `awk 'BEGIN{print "x" > "/srv/policy/security.json"}'`,
    `awk 'BEGIN{while((getline l < "/srv/policy/security.json") > 0) print l}'`,
    "perl -pi -e 's/ask/allow/' /srv/policy/security.json",
    "perl -e 'open F, \">/srv/policy/security.json\"'",
    'python3 -c \'open("/srv/policy/security.json", "w")\'',
    "ed /srv/policy/security.json",
    "vim -c 'w /srv/policy/security.json' notes",
    "dd if=x of=/srv/policy/security.json",
    "cp x /srv/policy/security.json",
    "tar xf x.tar -C /srv/policy/security.json",
    "git -C /srv/policy/security.json status",
    "echo $BELAY_DATA_DIR",
    "cat $BELAY_DATA_DIR/security.json",
    "curl http://127.1:7400/trpc",
    "curl http://0x7f.1:7400",
    "curl http://0x7f000001:7400",
    "curl http://2130706433:7400",
    "curl http://017700000001:7400",
    "curl http://[::1]:7400/",
    "curl http://[::ffff:127.0.0.1]:7400/",
    "curl http://localhost.:7400/",
    "curl http://LOCALHOST:7400/",
    "curl http://0:7400/",
    "curl http://0.0.0.0:7400/",
    "curl http://127.0.0.53:7400/",
    "curl http://user@localhost:7400/",
    "curl -x 127.1:7400 http://example.com",
    "nc 127.1 7400",
    "nc localhost 7400",
    "telnet ::1 7400",
    "socat - TCP:127.1:7400",
    "exec 3<>/dev/tcp/127.1/7400",
    "echo x > /dev/tcp/localhost/7400",
    "ssh -L 9000:localhost:7400 host",
    "websocat ws://127.1:7400/ws",
    "some-client --url http://localhost:7400",
    'h=127.1; curl "http://$h:7400"',
    'curl "http://$HOSTNAME:7400"',
    "fuser -k 7400/tcp",
  ])("%s is denied", (text) => {
    expect(decide(text)).toBe("deny");
  });

  it("through a link too", () => {
    expect(decide("ln -s ~/.local/share d", "cat d/belay/auth-secret")).toBe("deny");
  });

  it.each(["curl http://localhost:3000/x?page=7400", "echo localhost:7400", "ss -ltn sport = :7400"])(
    "%s is unrelated",
    (text) => {
      expect(decide(text)).not.toBe("deny");
    },
  );

  it.each(["10.0.0.1", "128.0.0.1", "example.com", "1.2.3.4.5", "2001:db8::1", "127.example.com"])(
    "%s is another machine",
    (host) => {
      expect(isThisMachine(host)).toBe(false);
    },
  );
});

describe("S7 Belay's own files by names that are computed at run time", () => {
  it.each([
    "find ~ -name 'session*' | while read -r f; do cat \"$f\"; done",
    "while read -r f; do cat \"$f\"; done < <(find ~ -name 'session*')",
    "mapfile -t L < <(find ~ -name 'session*'); cat \"${L[@]}\"",
    "read -r f < <(find ~ -name 'session*'); cat $f",
    'find ~ > names; while read -r f; do cat "$f"; done < names',
    'x=(~/.local/*/belay/keys/*); cat "${x[3]}"',
    "cat $(realpath ..)/x/keys/session-secret",
    "ls .. | while read d; do cat ../$d/keys/session-secret; done",
    "cd /proc/$PPID/cwd; cat keys/session-secret",
    "cat ~+/../.local/share/belay/keys/session-secret",
    "tar -C ~/.local -cf - share | cat",
    "tar cf - -C ~/.local/share belay | cat",
    "echo ../x | tar cf - -T - | cat",
    "awk 'BEGIN{ARGV[1]=\"../.local/share/belay/belay.db\";ARGC=2}1'",
  ])("%s", (text) => {
    expect(decide(text)).not.toBe("allow");
  });

  it.each([
    'git ls-files | while read -r f; do wc -l "$f"; done',
    "find src -name '*.ts' | while read -r f; do head -n 1 \"$f\"; done",
    'x=(src/*.ts); cat "${x[0]}"',
    "tar -C src -cf - lib | wc -c",
    "awk -F/ '{print \"a/b\" $1}' names.txt",
  ])("files of the project can be read: %s", (text) => {
    expect(decide(text)).toBe("allow");
  });
});
