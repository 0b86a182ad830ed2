import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { defaultPolicy } from "../../../settings/policy.ts";
import { readSedScript } from "./sed-script.ts";

it.each([
  ["r /etc/hosts", ["/etc/hosts"]],
  ["1r/etc/hosts", ["/etc/hosts"]],
  ["/x/R /etc/hosts", ["/etc/hosts"]],
  ["$r a\ns/x/y/\nr b", ["a", "b"]],
  ["s/r /x/; p", []],
])("sed %j reads %j", (script, reads) => {
  expect(readSedScript(script).reads).toEqual(reads);
});

it.each(["sed -n 'r /srv/belay/keys/x' f", "sed -e p -e '$R /srv/belay/keys/x' f", "sed '1r/srv/belay/keys/x' f"])(
  "S7 %s reads Belay's own files",
  (line) => {
    const own = { paths: ["/srv/belay"], processIds: [], ports: [] };
    expect(judge(line, { own }, defaultPolicy).decision).toBe("deny");
  },
);
