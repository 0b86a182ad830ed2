import type { Field } from "../../../language/state/values.ts";
import { defineProgram, type Effect, type ProgramUse, type Wraps } from "../../define-program.ts";
import { taskEffect } from "../../names/grave-words.ts";

const OPTIONS =
  "-L --print-build-logs -v --verbose -q --quiet --debug --json --raw --no-link --print-out-paths --dry-run --rebuild --keep-going --keep-failed -k -K -o:w --out-link:w -j: --max-jobs: --cores: --no-build --all-systems --system: --impure --pure-eval --offline --refresh --show-trace --no-write-lock-file --no-update-lock-file --no-registries --log-format: --extra-experimental-features: --experimental-features: --profile:w -i --ignore-environment --keep: -u: --unset: --legacy --recursive -r -s -S -h --closure-size --size --human-readable --all --derivation --depth: --parse -A: --attr: --strict --xml --arg:x --argstr: --expr:x -E:x --apply:x -f:c --file:c -I:c --include:c --override-input:h --inputs-from:h --reference-lock-file:c --output-lock-file:w --option:x --store:h --eval-store:h --substituters:h --extra-substituters:h --builders:h --accept-flake-config=change --commit-lock-file=change --recreate-lock-file=change --update-input:=change";

/** `.#app`, `./pkgs#x`, or nothing: a flake of the project. Anything else is fetched from elsewhere. */
const isLocal = ({ text }: Field): boolean => /^(?:path:)?\.(?:$|[#?]|\/(?!.*\.\.))|^#/.test(text);
const ofProject = (effect: Effect) => (use: ProgramUse) => (use.operands.every(isLocal) ? effect : "install");

const RUNS: Wraps = { skip: 99, rest: ["-c", "--command"], isOpaque: true };
/** Words of the command that a verb runs, or of the program that it starts, are not its own. */
const ownWords = (args: readonly Field[]): readonly Field[] => {
  const end = args.findIndex(({ text }) => text === "-c" || text === "--command" || text === "--");
  return end < 0 ? args : args.slice(0, end + 1);
};

/** Builds and shells of Nix, for which a flake of the project is like any other build file of the project. */
export const NIX = [
  defineProgram({
    names: "nix",
    does: "code",
    options: OPTIONS,
    operands: "value",
    ownWords,
    pairs: ["--option", "--arg", "--argstr", "--override-input"],
    verbs: {
      "build fmt eval": { does: "work", operands: "value", check: ofProject("work") },
      run: {
        does: "work",
        operands: "value",
        // Like a script of the project, it is judged by its name: `nix run .#deploy`.
        check: (use) => taskEffect(use.operands[0]?.text.split("#")[1] ?? "") ?? ofProject("work")(use),
      },
      develop: {
        does: "work",
        operands: "value",
        options: "-c --command",
        wraps: RUNS,
        // Without a command it opens a shell, which waits for more.
        check: (use) =>
          use.options.some(({ name }) => name === "-c" || name === "--command") ? ofProject("work")(use) : "code",
      },
      shell: { does: "install", operands: "value", options: "-c --command", wraps: RUNS },
      flake: {
        does: "change",
        operands: "value",
        verbs: {
          "check show metadata info": { does: "work", operands: "value", check: ofProject("work") },
          "update lock init new clone archive prefetch": { does: "install", operands: "value" },
        },
      },
      "path-info why-depends log hash doctor help derivation": { does: "read", operands: "value" },
      search: { does: "remote", operands: "value" },
      profile: {
        does: "install",
        operands: "value",
        verbs: { "list history diff-closures": { does: "read", operands: "value" }, "remove wipe-history": "destroy" },
      },
      registry: { does: "change", operands: "value", verbs: { list: { does: "read", operands: "value" } } },
      store: {
        does: "change",
        operands: "value",
        verbs: {
          "ls cat diff-closures path-from-hash-part verify": { does: "read", operands: "value" },
          "gc delete": "destroy",
        },
      },
      copy: "publish",
      config: "secret",
      "show-config": "secret",
    },
    runs: [
      "nix flake check",
      "nix build .#default --no-link",
      "nix develop -c make test",
      "nix develop .#ci --command npm test -- --run",
      "nix fmt -- --check .",
      "nix run .#lint",
      "nix eval .#packages --json",
    ],
    asks: [
      "nix develop -c rm x",
      "nix build nixpkgs#hello",
      "nix run github:some/flake",
      "nix run .#deploy",
      "nix shell nixpkgs#hello -c ls",
      "nix eval --expr 'builtins.readFile ./x'",
      "nix build --override-input a github:some/flake",
      "nix flake update",
      "nix develop",
      "nix develop ../x -c make",
    ],
  }),
  defineProgram({
    names: "nixos-rebuild darwin-rebuild home-manager",
    does: "install",
    options: `${OPTIONS} --flake: --fast --no-build-nix --target-host:h --build-host:h -b: --use-remote-sudo=change --rollback=destroy`,
    operands: "value",
    verbs: {
      "build dry-build check build-vm": {
        does: "work",
        operands: "value",
        // Without a flake it builds the settings of the machine.
        check: ({ options }) => {
          const flakes = options.filter(({ name }) => name === "--flake");
          return flakes.length > 0 && flakes.every(({ value }) => value !== null && isLocal(value))
            ? "work"
            : "install";
        },
      },
      "generations list-generations news packages": { does: "read", operands: "value" },
      "expire-generations remove-generations uninstall": "destroy",
    },
    runs: ["nixos-rebuild dry-build --flake .#laptop", "darwin-rebuild build --flake .", "home-manager generations"],
    asks: [
      "nixos-rebuild switch --flake .#laptop",
      "nixos-rebuild build --flake github:some/flake",
      "nixos-rebuild build --flake . --target-host example.com",
      "darwin-rebuild build",
    ],
  }),
  defineProgram({
    names: "devenv",
    does: "change",
    options:
      "-v --verbose -q --quiet -j: --max-jobs: --cores: -e --impure --no-eval-cache --offline -O:x --option:x --override-input:h -c --clean",
    operands: "value",
    verbs: {
      "test build info tasks": { does: "work", operands: "value" },
      search: { does: "remote", operands: "value" },
      shell: { does: "code", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      "update init gc": { does: "install", operands: "value" },
    },
    runs: ["devenv test", "devenv info"],
    asks: ["devenv shell", "devenv shell rm x", "devenv update", "devenv --override-input a github:x/y test"],
  }),
  defineProgram({
    names: "nix-shell nix-build nix-instantiate",
    does: "work",
    options: `${OPTIONS} -p=install --packages=install --run: --command: --pure --eval`,
    operands: "read",
    wraps: { skip: 99, code: ["--run", "--command"], isOpaque: true },
    pairs: ["--option", "--arg", "--argstr"],
    runs: ["nix-build -A app", "nix-shell --run 'make test'", "nix-instantiate --parse default.nix"],
    asks: ["nix-shell --run 'rm x'", "nix-shell -p hello", "nix-build -E 'x'", "nix-build /tmp/x.nix"],
  }),
];
