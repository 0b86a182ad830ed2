import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { carriedEnv, withCarriedEnv } from "./carried-env.ts";

it("C4 a program gets its variables as they were given, and what starts it none of them by its name", () => {
  const env = {
    PATH: "/usr/bin:/bin",
    LD_LIBRARY_PATH: "/no/such/folder",
    BASH_ENV: "/no/such/file",
    LINES_OF: "a  b\nc\\ 'd' $(e)",
    EMPTY: "",
    IFS: "x",
    name: "small",
    BELAY_CARRIED_: "odd",
    BELAY_CARRIED_MORE: "odder",
    "dotted.name": "kept",
    BELAY_TERMINAL: "marker",
  };
  const carried = carriedEnv(env);
  const [program, ...args] = withCarriedEnv(["env", "-0"]);
  const { stdout, stderr } = spawnSync(program, args, { env: carried, encoding: "utf8" });
  const got = Object.fromEntries(
    stdout
      .split("\0")
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const { BELAY_CARRIED_: _, ...expected } = env;

  expect(stderr).toBe("");
  expect(got).toMatchObject(expected);
  expect(Object.keys(carried).filter((name) => /^(LD_|BASH|IFS|name|EMPTY)/.test(name))).toEqual([]);
});
