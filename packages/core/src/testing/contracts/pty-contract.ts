import { afterEach, describe, expect, it } from "vitest";
import type { Pty, PtyEvents } from "../../pty/pty.ts";

/** A PTY whose program is controlled by the test. */
export interface PtyRig {
  pty: Pty;
  /** The program prints this. */
  print(text: string): void;
  exit(exitCode: number): void;
  /** Input that the program will never read. */
  fill(bytes: Uint8Array): void;
}

export type OpenRig = (events: PtyEvents) => Promise<PtyRig>;

/** What every PTY does, run on the fake one and the real one, so that the fake behaves like the real one. */
export function describePty(name: string, openRig: OpenRig): void {
  describe(`${name} fulfils the PTY contract:`, () => {
    const opened: PtyRig[] = [];
    afterEach(() => {
      for (const { pty, exit } of opened.splice(0)) {
        exit(0);
        pty.close();
      }
    });

    async function open() {
      const seen: string[] = [];
      let output = "";
      let told = () => {};
      const rig = await openRig({
        onOutput: (bytes) => {
          output += bytes.toString();
          told();
        },
        onExit: (exitCode) => {
          seen.push(`${output} then exit ${exitCode}`);
          told();
        },
      });
      opened.push(rig);
      const until = async (isTrue: () => boolean) => {
        while (!isTrue()) {
          await new Promise<void>((resolve) => {
            told = resolve;
          });
        }
      };
      return { ...rig, seen, until, output: () => output };
    }

    it("output arrives in order", async () => {
      const { print, until, output } = await open();

      print("one ");
      print("two ");
      print("€");
      await until(() => output().includes("€"));

      expect(output()).toBe("one two €");
    });

    it("the exit is reported once, after the last byte", async () => {
      const { print, exit, until, seen } = await open();

      print("x".repeat(100_000));
      exit(3);
      await until(() => seen.length > 0);

      expect(seen).toEqual([`${"x".repeat(100_000)} then exit 3`]);
    });

    it("nothing arrives while it is paused, and all of it afterwards", async () => {
      const { pty, print, exit, until, seen, output } = await open();
      pty.pause();
      print("later");
      exit(0);
      expect(output()).toBe("");

      pty.resume();
      await until(() => seen.length > 0);

      expect(seen).toEqual(["later then exit 0"]);
    });

    it("drain resolves after all earlier output", async () => {
      const { pty, print, until, output } = await open();
      print("a");
      await until(() => output() === "a");

      await pty.drain();

      expect(output()).toBe("a");
    });

    it("input for a program that does not read is refused above a limit", async () => {
      const { fill } = await open();

      expect(() => fill(new Uint8Array(10 * 1024 * 1024))).toThrow(expect.objectContaining({ code: "input-full" }));
    });

    it("no events come after close, and all methods may still be called", async () => {
      const { pty, exit, seen } = await open();
      pty.close();

      exit(0);
      pty.write(Buffer.from("late"));
      pty.resize({ cols: 10, rows: 10 });
      await pty.drain();
      pty.close();

      expect(seen).toEqual([]);
    });
  });
}
