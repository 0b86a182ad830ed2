import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";
import { npxEffect } from "./npx-effect.ts";
import { NPM_OPTIONS, RUNS_TOOL, SCRIPT } from "./package-managers.ts";

export const NPM = [
  defineProgram({
    names: "npm",
    does: "install",
    isOpen: true,
    options: `${NPM_OPTIONS} -w:`,
    operands: "value",
    verbs: {
      // `npm run env` prints the environment, and `npm run env -- cmd` runs any command.
      "run run-script rum urn test t tst start": {
        ...SCRIPT,
        check: ({ operands }) => (operands[0]?.text === "env" ? (operands.length > 1 ? "code" : "secret") : null),
      },
      "stop restart": "change",
      "ls list ll la view info show v outdated why explain help help-search root prefix bin ping whoami fund search s se find doctor stars query sbom diff completion":
        {
          does: "read",
          operands: "value",
          check: (use) =>
            use.options.every(({ kind, does }) => kind === "value" && (does === null || does === "install"))
              ? "read"
              : null,
        },
      "config c get": {
        does: "change",
        operands: "value",
        verbs: { "get list ls": { does: "read", operands: "value" }, "set delete rm edit fix": "change" },
        check: (use) => {
          if (use.operands.some(({ text }) => /auth|token|password/i.test(text))) return "secret";
          return use.verb === "get" ? (use.operands.length > 0 ? "read" : "secret") : null;
        },
      },
      set: "change",
      pkg: {
        does: "edit",
        operands: "value",
        verbs: {
          get: { does: "read", operands: "value" },
          set: {
            does: "edit",
            operands: "value",
            // A dependency from an address, a folder or under another name.
            check: ({ operands }) =>
              operands.some(({ text }) => /^(?:\w*[dD]ependencies|overrides|resolutions)\b[^=]*=.*[:/]/.test(text))
                ? "install"
                : null,
          },
          "delete fix": { does: "change", operands: "value" },
        },
      },
      audit: { does: "read", operands: "value", verbs: { fix: "install", signatures: "read" } },
      version: {
        does: "change",
        operands: "value",
        check: (use) =>
          use.operands.length === 0 && use.options.every(({ name }) => name === "--json") ? "read" : "change",
      },
      pack: {
        does: "edit",
        operands: "value",
        options: "--pack-destination:w",
        // Without a name it packs the project; a name is fetched.
        check: (use) =>
          has(use, "--dry-run")
            ? "read"
            : use.operands.every(({ text }) => /^\.(?:\/|$)/.test(text))
              ? "edit"
              : "install",
      },
      "ci clean-install ic install-clean cit install-ci-test": {
        does: "restore",
        operands: "value",
        check: (use) => (has(use, "-g", "--global") ? "install" : "restore"),
      },
      "install i in add isntall install-test it update up upgrade uninstall un remove rm r unlink dedupe ddp prune rebuild rb link ln init create innit edit explore shrinkwrap":
        { does: "install", operands: "value" },
      cache: { does: "change", operands: "value", verbs: { "ls list verify": "read", "add clean rm npx": "change" } },
      "dist-tag dist-tags": {
        does: "publish",
        operands: "value",
        verbs: { "ls list": { does: "read", operands: "value" } },
      },
      "owner author": { does: "publish", operands: "value", verbs: { "ls list": { does: "read", operands: "value" } } },
      "team org": { does: "publish", operands: "value", verbs: { "ls list": { does: "read", operands: "value" } } },
      access: { does: "publish", operands: "value", verbs: { "list ls get": { does: "read", operands: "value" } } },
      profile: { does: "publish", operands: "value", verbs: { get: { does: "read", operands: "value" } } },
      token: { does: "publish", operands: "value", verbs: { "list ls": { does: "secret", operands: "value" } } },
      "publish unpublish deprecate undeprecate star unstar hook trust stage": { does: "publish", operands: "value" },
      "login adduser logout": "publish",
      "exec x": {
        does: "read",
        operands: "value",
        wraps: { ...RUNS_TOOL, code: ["-c", "--call"] },
        stopsAtOperand: true,
        options: "-c:x --call:x --package:=install -p:=install",
        check: npxEffect,
      },
    },
    check: (use) => (use.verb === "" && use.operands.length === 0 ? "read" : null),
    runs: [
      "npm test",
      "npm run build -- --quiet",
      "npm ci",
      "npm ls react",
      "npm --prefix web run build",
      "npm pkg set scripts.dev=vite",
      "npm audit --omit=dev",
      "npm config get registry",
    ],
    asks: [
      "npm install",
      "npm i lodash",
      "npm publish",
      "npm audit fix",
      "npm run env -- rm x",
      "npm run env",
      "npm pkg set dependencies.left-pad=https://x.example/left-pad.tgz",
      "npm pkg set overrides.semver=npm:other",
      "npm --prefix /tmp/evil test",
      "npm test --userconfig ./evil.npmrc",
      "npm token list",
      "npm stage publish",
      "npm version patch",
    ],
  }),
];
