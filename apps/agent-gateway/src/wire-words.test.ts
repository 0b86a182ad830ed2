import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AuditEventType, CLOSE_CODES, ServerControlFrame, ServerJsonFrame, StreamErrorCode } from "@belay/protocol";
import { expect, test } from "vitest";

// Every value that the protocol defines must be used, or clients would wait for it in vain.
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.includes(".test.") && !name.startsWith("testing"))
  .map((name) => ({ name, text: readFileSync(join(import.meta.dirname, name), "utf8") }));
const sources = files.map(({ text }) => text).join("\n");
const stream = files
  .filter(({ name }) => name.startsWith("doors/stream/"))
  .map(({ text }) => text)
  .join("\n");

/** Whether a row of this type is made: as `type: "…"`, also as one of two, or as a step of a command. A reader compares, and does not count. */
function isWritten(type: string): boolean {
  return new RegExp(String.raw`(?:\btype(?::| = )[^;{}]{0,80}?|\bstep\()"${type.replaceAll(".", "\\.")}"`).test(
    sources,
  );
}

test("G2 every type of audit row is written somewhere", () => {
  expect(AuditEventType.options.filter((type) => !isWritten(type))).toEqual([]);
  // What is only read would be found: this type of an event is compared with, and never made here.
  expect(sources).toContain('"commandFinished"');
  expect(isWritten("commandFinished")).toBe(false);
});

test("B8 every close code is used to close a socket", () => {
  expect(Object.keys(CLOSE_CODES).filter((name) => !sources.includes(`CLOSE_CODES.${name}`))).toEqual([]);
});

test("B8 every error of the stream is sent somewhere", () => {
  const sent = stream.match(/(?:#refuse\(\s*|type: "error", code: )"[\w-]+"/g)?.join() ?? "";

  expect(StreamErrorCode.options.filter((code) => !sent.includes(`"${code}"`))).toEqual([]);
});

test("B8 every frame that the protocol lets a server send is sent", () => {
  const types = [...ServerControlFrame.options, ...ServerJsonFrame.options].map(({ shape }) => shape.type.value);

  expect(types.length).toBeGreaterThan(10);
  expect(types.filter((type) => !stream.includes(`type: "${type}"`))).toEqual([]);
});

test("B10 every event of the gateway is published", () => {
  const [union = ""] =
    /type GatewayEvent =[^;]*(?:;[^;]*)*?\};/.exec(files.find(({ name }) => name === "events.ts")?.text ?? "") ?? [];
  const types = [...union.matchAll(/\{ type: "(\w+)"/g)].map(([, type = ""]) => type);

  expect(types.length).toBeGreaterThan(10);
  // The loss of a host comes from the pool, and is passed on as it is.
  const published = (type: string) => sources.includes(`publish({ type: "${type}"`) || type === "hostLost";
  expect(types.filter((type) => !published(type))).toEqual([]);
});

test.each(["errors.ts", "../../../packages/core/src/errors.ts"])("G1 every code in %s is used for an error", (file) => {
  const core = join(import.meta.dirname, "../../../packages/core/src");
  const texts = readdirSync(core, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes(".test.") && !name.startsWith("testing"))
    .map((name) => readFileSync(join(core, name), "utf8"));
  const all = [sources, ...texts].join("\n");
  const codes = [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(/\| "([\w-]+)"/g)];
  const isUsed = (code: string) => new RegExp(String.raw`(?:Error\([^;]{0,120}?|code: )"${code}"`).test(all);

  expect(codes.length).toBeGreaterThan(20);
  expect(codes.map(([, code = ""]) => code).filter((code) => !isUsed(code))).toEqual([]);
});
