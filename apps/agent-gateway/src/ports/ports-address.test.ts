import { describe, expect, test } from "vitest";
import { PortsAddress } from "./ports-address.ts";

const NAME = "abcdefghijklmnopqrstuvwxyz";
const at = (publicUrl: string | null, portsUrl: string | null = null) =>
  new PortsAddress({ publicUrl, portsUrl }, () => 7400);

describe("C18 the host names of opened ports", () => {
  test.each([
    [null, null, `http://${NAME}.localhost:7400`],
    ["http://127.0.0.1:7401", null, `http://${NAME}.localhost:7401`],
    ["http://localhost", null, `http://${NAME}.localhost`],
    ["https://belay.example.org", "https://*.belay-ports.example", `https://${NAME}.belay-ports.example`],
    ["https://belay.co.uk", "https://*.ports.example.co.uk:8443/", `https://${NAME}.ports.example.co.uk:8443`],
    ["https://one.github.io", "https://*.two.github.io", `https://${NAME}.two.github.io`],
  ])("C18 %s and %s", (publicUrl, portsUrl, origin) => {
    const address = at(publicUrl, portsUrl);

    expect(address.originOf(NAME)).toBe(origin);
    expect(address.nameIn(new URL(origin).host.toUpperCase())).toBe(NAME);
    expect(address.missing).toBeNull();
  });

  test("C18 a public console without a domain for them offers none, and says what is missing", () => {
    const address = at("https://belay.example.org");

    expect(address.missing).toContain("BELAY_PORTS_URL");
    expect(address.nameIn(`${NAME}.belay.example.org`)).toBeNull();
    expect(address.nameIn(`${NAME}.localhost:7400`)).toBeNull();
  });

  test.each([
    ["https://belay.example.org", "https://*.ports.example.org", "both below example.org"],
    ["https://example.org", "https://*.example.org", "both below example.org"],
    ["https://belay.example.co.uk", "https://*.example.co.uk", "both below example.co.uk"],
    ["https://belay.example.org", "http://*.belay-ports.example", "has to be https"],
    [null, "https://*.belay-ports.example", "BELAY_PUBLIC_URL"],
  ])("C18 %s and %s are refused", (publicUrl, portsUrl, reason) =>
    expect(() => at(publicUrl, portsUrl)).toThrow(reason),
  );

  test.each([
    "localhost:7400",
    `${NAME}.localhost`,
    `x.${NAME}.localhost:7400`,
    `${NAME}1.localhost:7400`,
    "",
    undefined,
  ])("C18 %s is no opened port", (host) => expect(at(null).nameIn(host)).toBeNull());
});
