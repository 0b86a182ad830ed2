import type { SecuritySettings } from "@belay/policy";
import { changedSettings, claimedSettings } from "@belay/policy/testing";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { CurrentPolicy } from "../policy/policy-file.ts";
import { PolicyStore } from "../policy/policy-store.ts";

/**
 * For files whose tests claim settings by their names (`settings a.b .c`). Such a test fails unless a gateway in it had each
 * of these settings at a value other than its default, and read it from the policy.
 */
export function proveSettings(): void {
  const changed = new Set<string>();
  const read = new Set<string>();
  const watch = (settings: SecuritySettings): SecuritySettings => {
    for (const key of changedSettings(settings)) changed.add(key);
    return recordReads(settings, "", (path) => read.add(path));
  };
  let restore = () => {};

  beforeEach(() => {
    changed.clear();
    read.clear();
    const settings = getterOf<SecuritySettings>("settings");
    const current = getterOf<CurrentPolicy>("current");
    const spies = [
      vi.spyOn(PolicyStore.prototype, "settings", "get").mockImplementation(function (this: PolicyStore) {
        return watch(settings.call(this));
      }),
      vi.spyOn(PolicyStore.prototype, "current", "get").mockImplementation(function (this: PolicyStore) {
        const now = current.call(this);
        return { ...now, policy: { ...now.policy, settings: watch(now.policy.settings) } };
      }),
    ];
    restore = () => {
      for (const spy of spies) spy.mockRestore();
    };
  });

  afterEach(({ task }) => {
    restore();
    if (task.result?.state === "fail") return;
    const claimed = claimedSettings(task.name);
    expect(
      claimed.filter((key) => !changed.has(key)),
      "claimed, but left at the default",
    ).toEqual([]);
    expect(
      claimed.filter((key) => !read.has(key)),
      "claimed, but not read by a gateway",
    ).toEqual([]);
  });
}

function getterOf<Value>(name: "settings" | "current"): (this: PolicyStore) => Value {
  const getter = Object.getOwnPropertyDescriptor(PolicyStore.prototype, name)?.get;
  if (!getter) throw new Error(`PolicyStore has no getter "${name}" any more.`);
  return getter;
}

/** The same values, with a callback for each leaf that is read. Names of profiles and indexes of rules count as `*`. */
function recordReads<Value extends object>(value: Value, path: string, onRead: (path: string) => void): Value {
  const isOpen = path === "profiles" || path === "rules";
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Value;
  return new Proxy(copy, {
    get(target, name, receiver) {
      const inner: unknown = Reflect.get(target, name, receiver);
      if (typeof name === "symbol" || !Object.hasOwn(target, name) || name === "length") return inner;
      const here = [path, isOpen ? "*" : name].filter((step) => step !== "").join(".");
      const isBranch = typeof inner === "object" && inner !== null && (!Array.isArray(inner) || here === "rules");
      if (isBranch) return recordReads(inner, here, onRead);
      onRead(here);
      return inner;
    },
  });
}
