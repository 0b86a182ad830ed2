import { describe, expect, it } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";

const inTrusted = (text: string) => judge(text, { profile: "trusted" }, defaultPolicy);

describe("P96 what runs later, outside of Belay's terminals, asks in every built-in profile", () => {
  it.each([
    "crontab -e",
    "crontab -u builder -e",
    "crontab jobs.txt",
    "crontab -",
    "echo '* * * * * invented-tool' | crontab",
    "env crontab jobs.txt",
    "at now < script.sh",
    "at -f script.sh tomorrow",
    "echo invented-tool | batch",
    "systemctl enable invented.service",
    "systemctl --user --now enable invented.timer",
    "systemctl link /srv/invented.service",
    "systemctl edit --full invented",
    "loginctl enable-linger builder",
    "launchctl load invented.plist",
    "update-rc.d invented defaults",
    "rc-update add invented default",
    "busctl --user call org.freedesktop.systemd1 /org/freedesktop/systemd1 m StartTransientUnit",
  ])("%s", (line) => {
    const { decision, level, matches } = inTrusted(line);
    expect({ decision, level, rules: matches.map(({ rule }) => rule) }).toMatchObject({
      decision: "ask",
      level: "dangerous",
      rules: expect.arrayContaining(["runs-later"]),
    });
  });

  it.each(["crontab -l", "at -l", "atq", "systemctl status invented", "systemctl is-enabled invented", "busctl list"])(
    "%s only looks",
    (line) => {
      expect(inTrusted(line).decision).toBe("allow");
    },
  );
});
