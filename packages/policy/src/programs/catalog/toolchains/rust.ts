import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";

const CARGO =
  "-q -v -p: -F: -j: -Z: --quiet --verbose --color: --frozen --locked --offline --config:x --manifest-path:c --package: --workspace --all --exclude: --all-targets --all-features --no-default-features --features: --lib --bins --bin: --examples --example: --tests --test: --benches --bench: --release -r --profile: --target: --target-dir:w --jobs: --keep-going --message-format: --timings? --future-incompat-report --ignore-rust-version --lockfile-path:c --build-plan --unit-graph --artifact-dir:w -C:d";

export const RUST = [
  defineProgram({
    names: "bacon dx",
    does: "change",
    isOpen: true,
    options:
      "-j: --job: -p:d --project:d --headless --path:d -s --summary --features: --platform: --release --package: -e:c --export-locations",
    operands: "value",
    verbs: {
      "build check test clippy doc run serve fmt translate bundle doctor": { does: "work", operands: "value" },
      "new init add": { does: "install", operands: "value" },
    },
    // Bacon repeats the checks of the project.
    check: ({ name, verb }) => (name === "bacon" && verb === "" ? "work" : null),
    runs: ["bacon --headless", "bacon clippy", "dx build"],
    asks: ["dx new x", "bacon -p /tmp/x", "dx self-update"],
  }),
  defineProgram({
    names: "cargo cross",
    does: "work",
    // `cargo +nightly fmt` is the same with another toolchain.
    ownWords: (args) => (/^\+[\w.-]+$/.test(args[0]?.text ?? "") ? args.slice(1) : args),
    options: `${CARGO} --list -V`,
    verbs: {
      // What follows the dashes are options of the compiler.
      "rustc rustdoc": {
        does: "work",
        operands: "value",
        options: "--print: --open=change --crate-type:",
        check: ({ operands }) =>
          operands.some(({ text }) => /linker|link-arg|plugin|backend|runtool|builder|\//.test(text)) ? "code" : null,
      },
      "build b check c clippy doc d bench fix": {
        does: "work",
        operands: "value",
        options:
          "--fix --allow-dirty --allow-staged --allow-no-vcs --broken-code --edition --no-deps --open=change --document-private-items --no-run --no-fail-fast --print:",
      },
      "test t": {
        does: "work",
        operands: "value",
        options: "--no-run --no-fail-fast --doc --nocapture --ignored",
        // Behind the dashes: a file that the tests write.
        check: ({ operands }) => (operands.some(({ text }) => text.startsWith("--logfile")) ? "change" : null),
      },
      nextest: {
        does: "work",
        isOpen: true,
        operands: "value",
        verbs: { "run list show-config archive": { does: "work", operands: "value" }, self: "install" },
      },
      "run r": { does: "work", operands: "value", stopsAtOperand: true },
      // By convention this is a program of the project.
      xtask: { does: "work", operands: "value", namesScript: true, isOpen: true },
      sqlx: {
        does: "change",
        operands: "value",
        verbs: { prepare: { does: "work", operands: "value", isOpen: true } },
      },
      fmt: { does: "work", operands: "value", options: "--check -p: --all --message-format:" },
      "tree metadata pkgid locate-project verify-project info search read-manifest version help": {
        does: "read",
        operands: "value",
        options:
          "-i: -e: -d -f: --invert: --edges: --prefix: --depth: --no-dedupe --duplicates --charset: --format: --prune: --format-version: --filter-platform: --no-deps --message-format: --limit: --index:h --registry:h --list -V",
      },
      "fetch generate-lockfile vendor": {
        does: "restore",
        operands: "write",
        options: "--no-delete --sync: --respect-source-config --versioned-dirs",
      },
      "audit deny outdated udeps machete geiger bloat expand llvm-cov tarpaulin insta miri mutants semver-checks msrv hack spellcheck doc2readme careful criterion fuzz-list sort readme llvm-lines flamegraph criterion asm size nm objdump readobj modules unused-features public-api about component wasi leptos":
        {
          does: "work",
          isOpen: true,
          operands: "value",
          options: "-o:w --output-path:w --output-dir:w",
          // `cargo hack publish` runs another verb for every crate.
          check: ({ operands }) => (/^(?:publish|release|yank)$/.test(operands[0]?.text ?? "") ? "publish" : null),
        },
      "fuzz tauri": {
        does: "change",
        isOpen: true,
        operands: "value",
        verbs: {
          "list build check run cmin tmin coverage fmt dev info": { does: "work", operands: "value", isOpen: true },
        },
      },
      clean: "change",
      "add remove rm install uninstall update new init binstall upgrade": {
        does: "install",
        operands: "value",
        isOpen: true,
        check: (use) =>
          (use.verb === "install" && use.operands.length === 0 && has(use, "--list")) ||
          ((use.verb === "update" || use.verb === "add") &&
            has(use, "--dry-run") &&
            !use.options.some(({ name }) => name === "--git" || name === "--registry" || name === "--path"))
            ? "read"
            : null,
      },
      // A rehearsal asks the registry, and sends nothing. It is not `work`, which a rule could allow for the whole verb.
      publish: {
        does: "publish",
        operands: "value",
        isOpen: true,
        options: "--dry-run? -n",
        check: (use) =>
          has(use, "-n", "--dry-run") && use.options.every(({ value, name }) => name !== "--dry-run" || value === null)
            ? "remote"
            : null,
      },
      owner: {
        does: "publish",
        operands: "value",
        isOpen: true,
        options: "-l --list -a: --add: -r: --remove:",
        check: (use) => (has(use, "-l", "--list") && !has(use, "-a", "--add", "-r", "--remove") ? "remote" : null),
      },
      "yank login logout": { does: "publish", operands: "value", isOpen: true },
      config: { does: "change", operands: "value", isOpen: true, verbs: { get: { does: "read", operands: "value" } } },
      report: { does: "read", operands: "value", isOpen: true },
      package: { does: "change", isOpen: true, check: (use) => (has(use, "--list", "-l") ? "read" : null) },
    },
    runs: [
      "cargo test -p core parser:: -- --nocapture",
      "cargo check --all-targets",
      "cargo build --release",
      "cargo clippy",
      "cargo fmt -- --check",
      "cargo tree -i serde",
      "cargo run -- --help",
      "cargo fetch",
      "cargo install --list",
      "cargo publish --dry-run",
      "cargo owner --list serde",
    ],
    asks: [
      "cargo add serde",
      "cargo install ripgrep",
      "cargo publish",
      "cargo publish --dry-run=false",
      "cargo owner --list --remove bob x",
      "cargo install --list ripgrep",
      "cargo clean",
      "cargo test -- --logfile ~/.bashrc",
      "cargo build --config build.rustc-wrapper=x",
      "cargo tree --config=./evil.toml",
    ],
  }),
  defineProgram({
    names: "rustc rustfmt rustdoc clippy-driver wasm-pack wasm-bindgen trunk cbindgen bindgen",
    does: "work",
    isOpen: true,
    options:
      "-o:w --out-dir:w -C: --codegen: --emit: --edition: --crate-type: --crate-name: -L:r -l: --extern: --cfg: -A: -W: -D: --sysroot:c --config-path:c --config: --check --print: --target:",
    verbs: { "build test serve": { does: "work", operands: "read" }, publish: "publish", login: "change" },
    operands: "read",
    check: ({ options }) =>
      options.some(
        ({ name, value }) =>
          name.startsWith("-Z") ||
          ["linker", "link-arg", "link-args", "llvm-args"].includes((value?.text ?? "").split("=")[0] ?? ""),
      )
        ? "code"
        : null,
    runs: ["rustfmt --check src/main.rs", "rustc --version", "wasm-pack build"],
    asks: ["rustc -Zcodegen-backend=./x.so a.rs", "rustc -C linker=/tmp/x a.rs", "wasm-pack publish"],
  }),
  defineProgram({
    names: "rustup",
    does: "install",
    isOpen: true,
    operands: "value",
    verbs: {
      "show which check": { does: "read", operands: "value" },
      "toolchain target component": {
        does: "install",
        operands: "value",
        verbs: { list: { does: "read", operands: "value" } },
      },
      run: { does: "work", operands: "value", stopsAtOperand: true, wraps: { skip: 1, isOpaque: true } },
    },
    runs: ["rustup show", "rustup target list --installed"],
    asks: ["rustup update", "rustup toolchain install nightly"],
  }),
];
