import { expect, it } from "vitest";
import { judge } from "../judge.ts";
import { defaultPolicy } from "../settings/policy.ts";

const decide = (command: string, profile = "trusted") =>
  judge(command, { home: "/home/agent", workspace: "/home/agent/w", profile }, defaultPolicy).decision;

it.each([
  "cat x.py | python3 -v",
  "cat x.py | python3 -q -X dev",
  "cat x.py | python3 --check-hash-based-pycs always",
  "cat x.py | python3 /dev/stdin --version",
  "cat x.js | node --interactive",
  "cat x.js | node - --version",
  "cat x.pl | perl -w",
  "cat x.rb | ruby -W0",
  "cat x.sh | bash --verbose",
  "cat x.sh | bash +x",
  "cat x.sh | bash -s version",
  "cat x.ts | deno run -",
  "cat x.ts | bun run -",
  "cat x.hs | runghc",
  "cat x.clj | clojure -",
  "cat x.coffee | coffee -s",
  "cat x.fsx | dotnet fsi",
  "cat x.mk | make -f -",
  "cat x.yml | docker compose -f - up -d",
  "cat x.gp | gnuplot",
  "cat x.exs | iex",
  "cat x.exs | iex -S mix",
  "cat x.hs | ghci Main.hs",
  "cat x | jshell",
  "cat x | gdb ./app",
  "cat x.rb | irb",
])("P96 a program that comes through a pipe asks in every profile: %s", (command) => {
  expect(decide(command)).toBe("ask");
  expect(decide(command, "standard")).toBe("ask");
});

it.each([
  "cat x.py | ruff check -",
  "cat x.py | black -",
  "python3 -m pytest -v | tail",
  "echo 'print(1)' | python3 -",
  "clojure -M:test | tail",
  "make -f build.mk test",
  "gdb -batch -ex bt ./app core | head",
  "lldb -b -o bt ./app | tail -5",
  "ghci --version | head -1",
  "cat a.json | node -pe 1",
])("P96 input that is not a program does not ask: %s", (command) => {
  expect(decide(command, "standard")).toBe("allow");
});
