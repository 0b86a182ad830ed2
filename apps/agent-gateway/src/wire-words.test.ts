import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AuditEventType, CLOSE_CODES, StreamErrorCode } from "@belay/protocol";
import { expect, test } from "vitest";

// Every value that the protocol defines must be used, or clients would wait for it in vain.
const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.includes(".test.") && !name.startsWith("testing"))
  .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
  .join("\n");

test("G2 every type of audit row is written somewhere", () => {
  expect(AuditEventType.options.filter((type) => !sources.includes(`"${type}"`))).toEqual([]);
});

test("B8 every close code is used to close a socket", () => {
  expect(Object.keys(CLOSE_CODES).filter((name) => !sources.includes(`CLOSE_CODES.${name}`))).toEqual([]);
});

test("B8 every error of the stream is sent somewhere", () => {
  const stream = sources.match(/(?:#refuse\(\s*|type: "error", code: )"[\w-]+"/g)?.join() ?? "";

  expect(StreamErrorCode.options.filter((code) => !stream.includes(`"${code}"`))).toEqual([]);
});
