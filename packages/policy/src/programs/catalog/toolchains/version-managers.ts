import { defineProgram, type ProgramUse } from "../../define-program.ts";

/** `mise x node@24 -- npm test`: a version that is missing is installed. */
const namesVersion = ({ operands, options }: ProgramUse): boolean =>
  /^[\w:./-]+@/.test(operands[0]?.text ?? "") || options.some(({ isGlobal }) => !isGlobal);

/** Programs that choose the version of a language or a tool, for a folder or for one command. */
export const VERSION_MANAGERS = [
  defineProgram({
    names: "pyenv rbenv nodenv goenv tfenv jenv rvm chruby sdk phpenv",
    does: "install",
    isOpen: true,
    operands: "value",
    verbs: {
      "versions version which whence root shims prefix commands current list ls info help home init virtualenv-init": {
        does: "read",
        operands: "value",
      },
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      "local shell use rehash": { does: "work", operands: "value" },
    },
    runs: [
      "pyenv versions",
      "rbenv version",
      "pyenv which python",
      "rbenv exec rspec",
      "pyenv local 3.12.1",
      'eval "$(pyenv init -)" && python --version',
    ],
    asks: ["pyenv install 3.12", "rvm install 3", "rbenv exec rm x", "pyenv global 3.12", 'eval "$(./pyenv init -)"'],
  }),
  defineProgram({
    names: "nvm fnm volta n",
    does: "install",
    isOpen: true,
    verbs: {
      use: "work",
      "ls list current which version ls-remote list-remote list-all help --version env where plugin-list latest doctor outdated settings-list":
        { does: "read", operands: "value" },
      exec: {
        does: "work",
        operands: "value",
        options: "--using: --silent --fnm-dir:c",
        stopsAtOperand: true,
        // Only nvm takes the version as a word.
        wraps: { skip: 1, maybeSkips: true, isOpaque: true },
      },
      run: {
        does: "work",
        operands: "value",
        options: "--node: --npm: --pnpm: --yarn: --bundled-npm --no-yarn --no-pnpm --env:",
        stopsAtOperand: true,
        wraps: { isOpaque: true },
        // `nvm run 20 app.js` takes a version and a script.
        check: (use) => (use.name === "volta" && !namesVersion(use) ? "work" : "install"),
      },
      "install uninstall global local add remove plugin set upgrade default pin": {
        does: "install",
        operands: "value",
      },
    },
    operands: "value",
    check: ({ verb, operands }) =>
      verb === "use" && operands.every(({ text }) => /^[\w.@/-]*$/.test(text)) ? "work" : null,
    runs: [
      "nvm use",
      "nvm use 20",
      "nvm ls",
      "nvm exec 20 npm test",
      "fnm exec --using=20 npm test",
      "volta run node -v",
      'eval "$(fnm env --use-on-cd)"',
    ],
    asks: [
      "nvm install 20",
      "nvm exec 20 rm x",
      "fnm exec --using 20 npm publish",
      "volta run --node 20 node -v",
      "volta run npm publish",
    ],
  }),
  defineProgram({
    names: "asdf mise rtx",
    does: "install",
    isOpen: true,
    verbs: {
      "exec x": {
        does: "work",
        operands: "value",
        stopsAtOperand: true,
        wraps: { skip: 1, maybeSkips: true, isOpaque: true },
        check: (use) => (namesVersion(use) ? "install" : null),
      },
      "run r": { does: "work", operands: "value", isOpen: true, namesScript: true },
      "tasks task": { does: "read", operands: "value" },
      "status version ls list current which where list-all latest plugin-list doctor outdated help activate": {
        does: "read",
        operands: "value",
      },
    },
    operands: "value",
    runs: [
      "asdf current",
      "mise ls",
      "mise run lint",
      "mise exec -- ls",
      "asdf exec ls",
      'eval "$(mise activate bash)"; npm test',
    ],
    asks: [
      "asdf plugin add x",
      "asdf exec rm x",
      "mise exec -- rm x",
      "mise x node@24 -- node -v",
      "mise run deploy",
      "mise use node@24",
    ],
  }),
];
