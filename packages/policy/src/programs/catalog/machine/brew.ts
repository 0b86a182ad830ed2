import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** Options of brew that print where something lies, or what it would use. */
const BREW_PLACES = words(
  "--cache --cellar --prefix --repository --repo --caskroom --env --environment --config --taps -S --search -v",
);
const BREW_PLAIN = words("-v -q -d --verbose --quiet --debug");
/** Verbs of brew that change nothing with `--dry-run`. */
const BREW_REHEARSES = words("install upgrade reinstall cleanup autoremove link ln unlink");

export const BREW = [
  defineProgram({
    names: "brew",
    does: "install",
    isOpen: true,
    options: "-v -q -d -n --dry-run --shell:",
    verbs: {
      "list ls info desc search deps uses leaves outdated config doctor dr cat log options missing tap-info formulae casks help command commands which-formula shellenv abv linkage formula typecheck livecheck lc unbottled":
        { does: "read", operands: "value", options: "--command:" },
      // They open a browser.
      "home homepage docs": { does: "change", operands: "value" },
      "style audit": { does: "read", operands: "value", options: "--fix=change" },
      "analytics developer completions": {
        does: "install",
        operands: "value",
        verbs: { state: "read" },
        check: ({ operands, verb }) => (operands.length === 0 && !verb.includes(" ") ? "read" : null),
      },
      // `brew alias x=install` defines one.
      alias: {
        does: "install",
        operands: "value",
        options: "--edit=install",
        check: ({ operands, does, options }) =>
          options.some((option) => option.does !== null) || operands.some(({ text }) => text.includes("="))
            ? does
            : "read",
      },
      bundle: { does: "install", operands: "value", verbs: { "list check": "read", exec: "code" } },
      services: { does: "install", operands: "value", verbs: { "list ls info": "read" } },
      "install uninstall remove rm reinstall update up upgrade tap link ln unlink pin unpin cleanup autoremove edit create migrate postinstall test fetch extract vendor-install sh ruby irb tests update-reset mirror":
        "install",
      "bump bump-cask-pr bump-formula-pr gist-logs pr-automerge pr-publish pr-pull pr-upload release test-bot":
        "publish",
      untap: "destroy",
    },
    check: (use) => {
      const { verb, options, operands } = use;
      if (verb === "" && options.some(({ name }) => BREW_PLACES.has(name))) return "read";
      if (operands.length === 0 && verb === "services") return "read";
      const isPlain = options.every(({ name }) => BREW_PLAIN.has(name));
      if (verb === "tap" && isPlain && operands.length === 0) return "read";
      return has(use, "-n", "--dry-run") && BREW_REHEARSES.has(verb) ? "read" : null;
    },
    operands: "value",
    runs: [
      "brew list",
      "brew --prefix python",
      "brew deps --tree python",
      "brew services list",
      "brew search --desc python",
      "brew livecheck jq",
      "brew --env --shell=fish",
      "brew upgrade --dry-run",
      "brew developer state",
      "brew services ls",
      "brew alias x",
      "brew tap -v",
    ],
    asks: [
      "brew home jq",
      "brew audit --fix jq",
      "brew developer on",
      "brew completions link",
      "brew tap -n a/b",
      "brew alias x=install",
      "brew nodenv-sync",
      "brew install jq",
      "brew services start x",
      "brew tap a/b",
      "brew unknown-command",
    ],
  }),
];
