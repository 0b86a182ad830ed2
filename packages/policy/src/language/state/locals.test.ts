import { describe, expect, it } from "vitest";
import { judge } from "../../judge.ts";
import { defaultPolicy } from "../../settings/policy.ts";

const runs = (text: string, shell = "/bin/bash") => judge(text, { shell }, defaultPolicy).runs;

describe("P2 a function's own variables end with it", () => {
  it.each([
    "x=aa; f() { local x=bb; $x; }; f; $x",
    "x=aa; f() { local x; x=bb; }; f; $x",
    "x=aa; f() { declare x=bb; }; f; $x",
    "x=aa; f() { typeset x=bb; }; f; $x",
    "x=aa; f() { local -n x=y; }; f; $x",
    "x=(aa); f() { local x=(bb); }; f; $x",
    "x=aa; f() { local x=bb; g; }; g() { local x=cc; }; f; $x",
    // The declaration may not have run, so both values are possible.
    'x=aa; f() { [ -n "$Q" ] && local x; x=bb; }; f; $x',
    // Bash refuses `local` outside a function.
    "x=aa; local x=bb; $x",
  ])("%s", (text) => {
    expect(runs(text)).toContain("aa");
  });

  it("keeps what is set for the caller", () => {
    expect(runs("x=aa; f() { declare -g x=bb; }; f; $x")).toContain("bb");
    expect(runs("x=aa; f() { x=bb; }; f; $x")).toContain("bb");
    expect(runs("x=aa; f() { local x=cc; declare -g x=bb; }; f; $x")).toContain("bb");
  });

  it.each([
    "f() { local x=aa; g; }; g() { declare -g x=bb; }; f; $x",
    "f() { local x; g; }; g() { declare -g x=bb; }; f; $x",
    "x=aa; f() { local x=cc; g; x=dd; }; g() { declare -g x=bb; }; f; $x",
    "f() { local x=aa; g; }; g() { local x=cc; h; }; h() { typeset -g x=bb; }; f; $x",
    "f() { local x=aa; g; }; g() { if true; then declare -g x=bb; fi; }; f; $x",
    "f() { local x=aa; g; }; g() { declare -g x+=bb; }; f; echo ok; $x",
  ])("keeps what a called function sets for the script: %s", (text) => {
    expect(runs(text).join(" ")).toContain("bb");
  });

  it("keeps a local variable in sight when the one of the script is set", () => {
    expect(runs("f() { local x=aa; declare -g x=bb; $x; }; f")).toContain("aa");
    expect(runs("f() { declare x=aa; g; $x; }; g() { declare -g x=bb; }; f")).toContain("aa");
  });

  it("gives a new one no value", () => {
    expect(runs("x=echo; f() { local x; $x aa bb; }; f")).toContain("aa bb");
  });

  it("lets a called function see it", () => {
    expect(runs("x=aa; f() { local x=bb; g; }; g() { $x; }; f")).toContain("bb");
  });
});
