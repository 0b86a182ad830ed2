import { describe, expect, it } from "vitest";
import { judge } from "../../judge.ts";
import { defaultPolicy } from "../../settings/policy.ts";

const decide = (text: string, profile = "standard") =>
  judge(text, { profile, home: "/home/agent", workspace: "/home/agent/app", cwd: "/home/agent/app" }, defaultPolicy)
    .decision;

describe("P19 looking for a credential outside the project asks in every built-in profile", () => {
  it.each([
    "journalctl -u web --since today | grep -i passwd",
    "journalctl -u web -n 500 | tail -100 | grep -E 'api_key|bearer'",
    "kubectl -n shop logs deploy/cart | grep -io 'token=[^ ]*'",
    "docker logs cart 2>&1 | rg -i secret",
    "docker compose logs cart | awk '/password/'",
    "heroku logs -n 200 | grep -i apikey",
    "ps aux | grep -i password",
    "journalctl -u web -g password",
    "aws logs filter-log-events --log-group-name web --filter-pattern secret",
    "grep -rE 'secret|token' /etc",
    "rg -i api_key /var/log",
    "sed -n '/passwd=/p' /etc/cart.conf",
    "mysql -e 'select * from users' | grep hash",
    "psql -c 'select * from accounts' | grep -i secret",
  ])("%s", (line) => {
    expect(decide(line)).toBe("ask");
    expect(decide(line, "trusted")).toBe("ask");
  });

  it("a project in /var/www is searched like any other", () => {
    const place = { home: "/home/agent", workspace: "/var/www/shop", cwd: "/var/www/shop" };

    expect(judge("grep -rn password src /var/www/shop/lib", place, defaultPolicy).decision).toBe("allow");
    expect(judge("grep -rn password /var/www/blog", place, defaultPolicy).decision).toBe("ask");
  });

  it.each([
    "journalctl -u ssh | grep 'Failed password'",
    "kubectl logs deploy/cart | grep -iE 'error|token expired'",
    "kubectl logs deploy/cart | grep -i auth",
    "docker logs cart | grep -i tokenizer",
    "grep PasswordAuthentication /etc/ssh/sshd_config",
    "grep -rn password src/",
    "npm test | grep -i token",
    "git log --oneline | grep -i secret",
    "ps aux | grep node",
    "kubectl get pods -A | grep auth-service",
    "sqlite3 app.db 'select * from commits' | grep -c hash",
    "awk -F: '{print $1}' /etc/passwd",
    "journalctl -u web -g error",
    "aws logs filter-log-events --log-group-name token-service --filter-pattern ERROR",
    "grep -rn token /tmp/app.log",
    "grep -rn Token /usr/include/clang",
    "sqlite3 app.db 'select name from items' | grep milk",
  ])("ordinary: %s", (line) => {
    expect(decide(line)).toBe("allow");
  });
});
