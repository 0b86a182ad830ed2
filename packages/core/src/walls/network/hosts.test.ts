import { expect, test } from "vitest";
import { kindOfAddress } from "./addresses.ts";
import { isListed } from "./hosts.ts";

test.each([
  [["example.com"], "example.com", 443, true],
  [["example.com"], "EXAMPLE.com.", 80, true],
  [["example.com"], "example.com", 22, false],
  [["example.com:22"], "example.com", 22, true],
  [["example.com:22"], "example.com", 443, false],
  [["example.com:*"], "example.com", 5000, true],
  [["example.com"], "a.example.com", 443, false],
  [["*.example.com"], "a.b.example.com", 443, true],
  [["*.example.com"], "example.com", 443, false],
  [["*.example.com"], "badexample.com", 443, false],
  [["10.0.0.7:8080"], "10.0.0.7", 8080, true],
  [[], "example.com", 443, false],
])("C4 the list %j covers %s:%i: %s", (hosts, host, port, expected) => {
  expect(isListed(hosts, { host, port })).toBe(expected);
});

test.each([
  ["93.184.216.34", "public"],
  ["2606:2800:220:1::1", "public"],
  ["10.1.2.3", "private"],
  ["192.168.0.1", "private"],
  ["fd12::1", "private"],
  ["127.0.0.1", "own"],
  ["127.9.9.9", "own"],
  ["0.0.0.0", "own"],
  ["169.254.169.254", "own"],
  ["fd00:ec2::254", "own"],
  ["::1", "own"],
  ["::", "own"],
  ["::ffff:127.0.0.1", "own"],
  ["::ffff:169.254.169.254", "own"],
  ["::ffff:10.0.0.1", "private"],
  ["64:ff9b::7f00:1", "own"],
  ["fe80::1", "own"],
  ["not-an-address", "own"],
])("C4 %s is %s", (address, kind) => expect(kindOfAddress(address)).toBe(kind));
