import { afterEach, expect, test, vi } from "vitest";
import { proxyFor } from "../../env.ts";
import { joinUrl } from "./join-options.ts";

afterEach(() => vi.unstubAllEnvs());

test("G7 the proxy of an encrypted gateway is HTTPS_PROXY, unless NO_PROXY names the gateway", () => {
  const gateway = "wss://belay.example.com/machines/join";
  for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY"])
    vi.stubEnv(name, "");
  expect(proxyFor(gateway)).toBeNull();

  vi.stubEnv("HTTPS_PROXY", "http://proxy.example.com:3128");
  expect(proxyFor(gateway)).toBe("http://proxy.example.com:3128");
  expect(proxyFor("ws://127.0.0.1:7400/machines/join")).toBeNull();
  vi.stubEnv("NO_PROXY", "localhost,.example.com");
  expect(proxyFor(gateway)).toBeNull();
});

test.each([
  ["https://belay.example.com/", "wss://belay.example.com/machines/join"],
  ["http://127.0.0.1:7400", "ws://127.0.0.1:7400/machines/join"],
  ["http://[::1]:7400", "ws://[::1]:7400/machines/join"],
  ["http://localhost/belay/", "ws://localhost/belay/machines/join"],
])("G7 a machine joins %s at %s", (address, url) => {
  expect(joinUrl(address, { allowsPlainHttp: false })).toBe(url);
});

test.each(["http://belay.example.com", "http://127.example.org", "http://localhost.example.org", "http://10.0.0.7"])(
  "G7 a machine does not join %s, which is not encrypted, unless it is told to",
  (address) => {
    expect(() => joinUrl(address, { allowsPlainHttp: false })).toThrow("is not encrypted");
    expect(joinUrl(address, { allowsPlainHttp: true })).toMatch(/^ws:/);
  },
);
