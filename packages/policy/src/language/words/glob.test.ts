import { describe, expect, it } from "vitest";
import { judge } from "../../judge.ts";
import { defaultPolicy } from "../../settings/policy.ts";
import { ANY_ONE, STAR } from "../state/values.ts";
import { matchesWhole, matchLengths } from "./glob.ts";

const pattern = (text: string) => text.replaceAll("*", STAR).replaceAll("?", ANY_ONE);

describe("shell patterns", () => {
  it.each([
    ["*", "", true],
    ["a*b", "axxb", true],
    ["a*b", "axxbc", false],
    ["*a*a*b", "aaaaaaaa", false],
    ["?x*", "axyz", true],
    ["", "", true],
    ["", "a", false],
  ])("%s and %j: %s", (source, text, isMatch) => {
    expect(matchesWhole(pattern(source), text)).toBe(isMatch);
  });

  it("returns every matching length", () => {
    expect(matchLengths(pattern("a*"), "abc")).toEqual([1, 2, 3]);
    expect(matchLengths(pattern("*b"), "abab")).toEqual([2, 4]);
    expect(matchLengths(pattern("b"), "abab", 1)).toEqual([1]);
  });
});

const decide = (text: string) => judge(text, {}, defaultPolicy).decision;

describe("P14 removing a pattern from a value gives the same as bash", () => {
  it.each([
    `x=lsrm; \${x#ls} -rf /`,
    `x=rmls; \${x%ls} -rf /`,
    `x=xrx; y=\${x//x/}; \${y}m -rf /`,
    `x=aXrm; \${x##*X} -rf /`,
    `x=rmXaXb; \${x%%X*} -rf /`,
    `x=rmXaXb; y=\${x%X*}; \${y%X*} -rf /`,
    `x=rQm; \${x/Q/} -rf /`,
    `x=Qrm; \${x/#Q/} -rf /`,
    `x=rmQ; \${x/%Q/} -rf /`,
    `a=(ls rm -rf /); \${a[@]:1}`,
    `a=(ls rm -rf /); "\${a[@]:1:3}"`,
    `set -- ls rm -rf /; "\${@:2}"`,
    `x=xxrm; \${x:2} -rf /`,
    `x=xxrmyy; \${x:2:2} -rf /`,
    `x=RM; \${x,,} -rf /`,
  ])("%s is denied", (text) => {
    expect(decide(text)).toBe("deny");
  });

  it.each([
    `x=lsrm; \${x#[l-m]s}`,
    `x=lsrm; \${x%%+(r|m)}`,
    `p='*'; x=lsrm; \${x#$p}`,
    `x=ls; \${x/l/&rm}`,
    `x=zzrm; \${x:010}`,
    `x=LS; \${x,,[L]}`,
    `x=ls; \${x@Q}`,
  ])("%s is not evaluated, so it asks", (text) => {
    expect(decide(text)).toBe("ask");
  });
});
