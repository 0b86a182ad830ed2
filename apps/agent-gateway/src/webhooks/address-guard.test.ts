import { expect, test } from "vitest";
import { AddressGuard, isInternal } from "./address-guard.ts";

test.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fe80::1",
  "fd00::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001:db8::1",
  "ff02::1",
  "not an address",
])("W10 nothing is sent to %s", (address) => {
  expect(isInternal(address)).toBe(true);
});

test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::1"])(
  "W10 %s is outside",
  (address) => {
    expect(isInternal(address)).toBe(false);
  },
);

test.each([
  ["http://127.0.0.1/", "is inside"],
  ["http://[::1]:8080/", "is inside"],
  ["http://0x7f.1/", "is inside"],
  ["http://2130706433/", "is inside"],
  ["ftp://example.com/", "Only http and https"],
  ["file:///etc/passwd", "Only http and https"],
  ["https://user:secret@example.com/", "name or password"],
])("W10 %s is refused without sending anything", (address, why) => {
  expect(new AddressGuard([]).objectionTo(new URL(address))).toContain(why);
});

test("W10 a host that an administrator lists may be internal, with that port only", () => {
  const guard = new AddressGuard(["127.0.0.1:8065", "chat.internal"]);

  const objections = ["http://127.0.0.1:8065/hook", "http://chat.internal:9/", "http://127.0.0.1:8066/hook"].map(
    (address) => guard.objectionTo(new URL(address)) === null,
  );

  expect(objections).toEqual([true, true, false]);
});

test("W10 a name that resolves to an internal address is refused, however it looks", async () => {
  const url = new URL("http://localhost:1/");
  const lookup = new AddressGuard([]).lookupFor(url);

  const error = await new Promise<Error | null>((resolve) =>
    lookup("localhost", { all: true }, (problem) => resolve(problem)),
  );

  expect(error?.message).toContain("localhost is inside");
});

test("W10 the connection is made to the addresses that were checked", async () => {
  const lookup = new AddressGuard(["localhost:1"]).lookupFor(new URL("http://localhost:1/"));

  const address = await new Promise((resolve) => lookup("localhost", { family: 4 }, (_error, found) => resolve(found)));

  expect(address).toBe("127.0.0.1");
});
