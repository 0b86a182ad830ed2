import { defineProgram } from "../../define-program.ts";
import { isGenerated } from "../../effects/generated.ts";
import { valuesOf } from "../use.ts";

const ASTRONOMER = /^(?:deployments?|workspaces?|organizations?|users?|teams?)$/;

/** Tools that check, build and test JavaScript projects. They load the project's own code, so its location matters. */
export const NODE_TOOLS = [
  defineProgram({
    names: "tsc vue-tsc svelte-check tsd tsd-check tsc-alias attw publint",
    does: "work",
    isOpen: true,
    options:
      "-p:c --project:c -b -w --build --watch --outDir:w --outFile:w --declarationDir:w --tsBuildInfoFile:w --generateTrace:w --generateCpuProfile:w --rootDir:r --baseUrl:r --typeRoots:c --plugins:c --tsconfig:c --workspace:r --init=edit --noEmit --pretty? --target: -t: -m: --module: --lib: --jsx: --types: --incremental? --listFiles --showConfig --explainFiles --traceResolution --extendedDiagnostics --diagnostics --clean --force --dry --verbose --strict?",
    operands: "read",
    runs: ["tsc --noEmit", "tsc -p packages/core", "tsc -b --clean", "tsc --outDir /tmp/out"],
    asks: ["tsc --outFile ~/.bashrc", "tsc -p /tmp/evil"],
  }),
  defineProgram({
    names:
      "eslint oxlint xo standard stylelint htmlhint textlint remark alex cspell markdownlint markdownlint-cli2 jscpd knip depcheck madge dependency-cruiser depcruise unimported ts-prune commitlint size-limit license-checker syncpack sort-package-json redocly @redocly/cli spectral jshint tslint source-map-explorer bundlesize expo-doctor graphql-inspector js-yaml html-validate solhint markdown-link-check cost-of-modules pa11y eslint_d ts-standard quick-lint-js es-check dtslint documentation plato complexity-report retire npm-package-json-lint sort-imports-check secretlint browserslist @arethetypeswrong/cli manypkg dpdm webpack-bundle-analyzer",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config:c --rulesdir:x --plugin:c --parser:c --resolve-plugins-relative-to:x -f:c --format:c --formatter:c --custom-formatter:c --ext: --fix --fix-dry-run --cache --cache-location:w --cache-file:w -o:w --output-file:w --max-warnings: --quiet --ignore-path:r --ignore-pattern: --ignore: --rule: --env: --global: --parser-options: --no-eslintrc --stdin --stdin-filename: --print-config: --report-unused-disable-directives --no-error-on-unmatched-pattern --init=install --from: --to: --edit?",
    operands: "read",
    rewrites: { with: ["--fix"] },
    runs: [
      "eslint src --ext .ts,.tsx --max-warnings 0",
      "eslint . --cache --cache-location node_modules/.cache/eslint",
      "eslint . --fix",
      "knip",
      "commitlint --from HEAD~1",
      "stylelint 'src/**/*.css'",
    ],
    asks: [
      "eslint . --cache-location node_modules/x",
      "cp a.json node_modules/.cache/babel-loader/a.json",
      "eslint . > node_modules/.cache/x",
      "eslint -c /tmp/x.js .",
      "eslint --rulesdir /tmp/r .",
      "eslint -o ~/.bashrc .",
      "eslint --fix ~/other",
    ],
  }),
  defineProgram({
    names: "prettier biome @biomejs/biome dprint svgo purgecss",
    does: "work",
    isOpen: true,
    options:
      "-c -l -w -u -o:w --output:w -r --recursive --check --write --list-different --config:c --plugin:c --plugin-search-dir:c --config-path:c --ignore-path:r --cache-location:w --stdin-filepath: --parser: --log-level: --find-config-path: --no-config --apply --unsafe --reporter: --max-diagnostics: --staged --changed --since:",
    verbs: {
      "check lint format ci fmt": { does: "work", operands: "read" },
      "explain version rage search": { does: "read", operands: "value" },
      "migrate init": { does: "edit", operands: "value" },
      "start stop daemon": "work",
    },
    operands: "read",
    rewrites: { with: ["-w", "--write", "--apply", "--unsafe"] },
    runs: ["prettier --check .", "prettier --write 'src/**/*.ts'", "biome check --write src", "biome ci ."],
    asks: ["prettier --write ~/.config", "prettier --plugin /tmp/x.js a"],
  }),
  defineProgram({
    names:
      "vitest jest mocha ava tap jasmine karma cypress playwright @playwright/test stryker @stryker-mutator/core web-test-runner wtr qunit uvu tape wdio nightwatch testcafe jest-cli",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config:c -r:c --require:c --import:c --loader:x --record=publish --globalSetup:c --globalTeardown:c --setupFiles:c --setupFilesAfterEnv:c --testEnvironment:c --transform:c --resolver:c --reporter: --reporters: --runner:c --rootDir:d --root:d --dir:d --projects: --project: -t: --testNamePattern: --grep: -g: --spec: --coverage? --coverageDirectory:w --coverage.reportsDirectory:w --outputFile:w --output:w --cacheDirectory:w --watch? --run --ci --bail? --runInBand -i --maxWorkers: --workers: --timeout: --headed --ui --update -u --updateSnapshot --silent --verbose --shard: --retries: --exit --recursive --browser:c -b:c --port: -p: --trace: --report-dir:w --temp-dir:w --reporter-options: --env:",
    verbs: {
      "run test component run-ct watch bench list related merge-reports report": { does: "work", operands: "read" },
      "install install-deps uninstall": { does: "install", operands: "value" },
      "codegen open cr ff wk pdf screenshot show-report show-trace": { does: "change", operands: "value" },
      "verify version info cache": { does: "read", operands: "value" },
    },
    operands: "read",
    runs: [
      "vitest run src/a.test.ts",
      "jest --ci -t 'x'",
      "mocha --exit 'test/**/*.js'",
      "playwright test a.spec.ts --reporter=line",
      "cypress run --spec cypress/e2e/a.cy.ts",
    ],
    asks: [
      "jest --globalSetup=/tmp/x.js",
      "mocha --require /tmp/x.js",
      "playwright test -c /tmp/p.ts",
      "playwright install --with-deps",
      "jest --coverageDirectory=/home/agent/.config",
      "vitest run --dir /tmp/evil",
      "cypress run --record",
    ],
  }),
  // They run a command and report which lines of the project it used.
  defineProgram({
    names: "nyc c8 istanbul",
    does: "work",
    isOpen: true,
    stopsAtOperand: true,
    options:
      "-c:c --config:c --nycrc-path:c -r: --reporter: -o:w --report-dir:w --reports-dir:w --temp-directory:w --temp-dir:w -a --all -n: --include: -x: --exclude: -e: --extension: --require:c -i:c --cwd:d --check-coverage? --lines: --branches: --functions: --statements: --src: --clean? --silent -s --cache? --source-map? --instrument? --hook-require? --exit-on-error --100 --per-file --skip-full --exclude-after-remap? --allowExternal --merge-async",
    verbs: {
      "report check-coverage merge instrument help": { does: "work", operands: "read" },
    },
    operands: "value",
    wraps: {},
    runs: ["c8 npm test", "nyc --reporter=text mocha", "nyc report --reporter=lcov", "c8 node test/a.js"],
    asks: ["c8 git push", "nyc rm src/a.ts", "nyc --nycrc-path /tmp/x npm test"],
  }),
  defineProgram({
    names:
      "webpack rollup vite esbuild swc tsup parcel rspack tailwindcss postcss sass babel next nuxt nuxi astro svelte-kit remix gatsby ng @angular/cli vue-cli-service nest @nestjs/cli storybook build-storybook docusaurus vitepress typedoc api-extractor graphql-codegen openapi-typescript expo react-native turbo nx lerna moon gulp grunt rescript elm ncc pkg microbundle unbuild nitro tauri electron-builder electron-forge react-scripts craco quasar jsdoc snowpack brunch sucrase tshy compodoc vuepress shadow-cljs heft tsc-watch ionic electron",
    does: "work",
    isOpen: true,
    options:
      "-c:c --config:c --plugin:c --plugins:c --presets:c -r:c --require:c --tsconfig:c -o:w -d:w --dir:w --outfile:w --outdir:w --out-dir:w --outDir:w --output:w --output-path:w --dist-dir:w --out:w --mode: --port: -p: --host? -t: --target: --targets: --filter: -F: --scope: --env: --bundle --minify --platform: --format: --watch --sourcemap? --serve?=change --loader: --external: --define: --input: -i:r --inject:c --cwd:d --concurrency: --cache-dir:w --base: --head: --configuration: --project: --projects: --root:d --bundle-output:w --assets-dest:w --entry-file:r --onSuccess:x --on-success:x --onFailure:x --onFirstSuccess:x --onCompilationComplete:x",
    verbs: {
      "build dev serve start run lint test typecheck check preview watch affected run-many graph show generate codegen compile transform analyze info export typegen prepare sync e2e extract-i18n ls list changed telemetry report print-affected format format:check":
        { does: "work", operands: "value" },
      "add create new init install eject upgrade update migrate link unlink login logout scan gen": {
        does: "install",
        operands: "value",
      },
      // `nx exec -- cmd`, `lerna exec -- cmd`
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      "publish deploy": { does: "publish", operands: "value" },
      release: {
        does: "publish",
        operands: "value",
        // There it is the name of an optimised build.
        check: ({ name }) => (name === "shadow-cljs" ? "work" : null),
      },
      version: {
        does: "read",
        operands: "value",
        // In lerna and nx, this verb makes commits and tags, and pushes them.
        check: ({ name }) => (/^(lerna|nx)$/.test(name) ? "publish" : null),
      },
    },
    operands: "read",
    check: (use) => {
      // The command line of a hosted Airflow has the same name as a framework.
      const [first = "", second = ""] = [...use.verb.split(" "), ...use.operands.map(({ text }) => text)].filter(
        Boolean,
      );
      if (
        use.name === "astro" &&
        (ASTRONOMER.test(first) || (first === "dev" && /^(?:kill|stop|restart)$/.test(second)))
      )
        return "publish";
      // The package manager of FreeBSD has the same name as a bundler.
      if (use.name === "pkg" && /^(?:delete|remove|autoremove|clean)$/.test(first)) return "destroy";
      // `electron-builder -p always` uploads what it builds.
      if (use.name === "electron-builder" && valuesOf(use, "-p", "--publish").some((when) => when !== "never"))
        return "publish";
      return use.verb === "telemetry" || use.verb === "gen" ? "change" : null;
    },
    runs: [
      "vite build",
      "esbuild src/index.ts --bundle --outfile=dist/index.js",
      "webpack --mode production",
      "next lint",
      "turbo build",
      "nx build upload-service",
      "nx affected -t lint",
      "turbo run test --filter=web",
      "shadow-cljs release app",
    ],
    asks: [
      "nx release",
      "vite build --config /tmp/v.js",
      "esbuild a.js --outfile=/home/agent/.bashrc",
      "tailwindcss -o ~/.profile",
      "lerna publish",
      "nx exec -- kubectl delete pod x",
      "lerna exec -- invented publish",
      "turbo run deploy",
      "nx run app:deploy",
      "next /tmp",
      "electron-builder -p always",
    ],
  }),
  // Another program of that name runs a command for each line of its input.
  defineProgram({
    names: "rush rush-pnpm",
    does: "work",
    options:
      "-p: -t: -T: -f: -F: -o: -O: -i: -I: -v -q -d --to: --from: --only: --impacted-by: --parallelism: --verbose --quiet --debug --json --timeline --to-except: --from-version-policy: --to-version-policy:",
    verbs: {
      "build rebuild test lint check list scan change-status": { does: "work", operands: "value", isOpen: true },
      "install update add remove link unlink init upgrade-interactive": {
        does: "install",
        operands: "value",
        isOpen: true,
      },
      "purge unlock": { does: "destroy", operands: "value", isOpen: true },
      "publish version deploy change": { does: "publish", operands: "value", isOpen: true },
    },
    runs: ["rush build --to web", "rush list --json"],
    asks: ["rush 'rm {}'", "rush publish", "rush install"],
  }),
  defineProgram({
    names:
      "changeset @changesets/cli semantic-release lint-staged husky npm-check-updates ncu rimraf del-cli wait-on wait-port json-server npm-run-all run-s run-p web-ext",
    does: "work",
    isOpen: true,
    options: "-l: --listen: -p: --port: -s -c: --config:c -u=install --upgrade=install -d --debug -n --no-install",
    verbs: {
      status: "work",
      version: "change",
      "publish tag pre sign": "publish",
      add: "edit",
      init: "edit",
      install: "install",
    },
    operands: "value",
    check: ({ name, verb, operands, does }) => {
      if (/^(rimraf|del-cli)$/.test(name)) return operands.every(({ text }) => isGenerated(text)) ? "work" : "destroy";
      if (name === "semantic-release") return "publish";
      // `husky add .husky/pre-push 'cmd'` writes a hook.
      if (name === "husky" && /^(?:add|set)$/.test([verb, ...operands.map(({ text }) => text)].find(Boolean) ?? ""))
        return "code";
      return does;
    },
    runs: ["changeset status", "lint-staged"],
    asks: ["changeset publish", "ncu -u", "husky add .husky/pre-push 'npm test'", "husky set .husky/pre-push x"],
  }),
  // They read files of the project and write a smaller or a generated one.
  defineProgram({
    names:
      "terser uglifyjs uglify-js cleancss clean-css-cli csso html-minifier html-minifier-terser quicktype json2ts openapi-generator openapi-generator-cli @openapitools/openapi-generator-cli swagger-codegen zod-to-ts ts-json-schema-generator typescript-json-schema auto-changelog conventional-changelog git-cliff",
    does: "work",
    isOpen: true,
    options:
      "-o:w --output:w --out:w --outfile:w -i:r --input:r -c? -m? -b? --compress? --mangle? --beautify? --source-map? --comments? --toplevel --module -g: --lang: -l: --src-lang: -t: -p: -r: --tag: --unreleased --latest --config-file:c --config:c --template:c --type:",
    verbs: {
      generate: { does: "work", operands: "value", options: "-i:r -g: -o:w -c:c -t:c --skip-validate-spec" },
      "validate list config-help version": { does: "read", operands: "value" },
    },
    operands: "read",
    runs: [
      "terser dist/a.js -c -m -o dist/a.min.js",
      "quicktype -s schema a.json -o src/a.ts",
      "git-cliff --unreleased",
    ],
    asks: [
      "terser a.js -o ~/.bashrc",
      "quicktype https://example.com/a.json",
      "openapi-generator generate -t /tmp/x -i a.yml",
    ],
  }),
  defineProgram({
    names: "cpx cpy cpy-cli copyfiles ncp mkdirp make-dir",
    does: "edit",
    options:
      "-u: -e: -E -a -f -F -v -V -s -p -m: --up: --exclude: --flat --parents --verbose --cwd:d --rename: --dot --update --no-overwrite",
    operands: "write",
    runs: ["cpx 'src/**/*.css' dist", "mkdirp build/a", "copyfiles -u 1 src/a.html dist"],
    asks: ["cpy x ~/.ssh", "mkdirp ~/.config/x", "cpx a b --command x"],
  }),
  defineProgram({
    names: "start-server-and-test server-test",
    does: "work",
    options: "--expect:",
    operands: "value",
    // Names of scripts of the project, and an address to wait for.
    check: ({ operands }) =>
      operands.every(({ text }) =>
        /^[\w:-]+$|^https?(?:-get)?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/[\w./-]*)?$/.test(text),
      )
        ? null
        : "code",
    runs: ["start-server-and-test start http://localhost:3000 test"],
    asks: ["start-server-and-test 'x y' 3000 test", "start-server-and-test start https://example.com deploy:prod"],
  }),
  defineProgram({
    names: "jscodeshift",
    does: "work",
    isOpen: true,
    options:
      "-t:c --transform:c -d --dry -p --print --parser: --parser-config:c --extensions: --ignore-pattern: --ignore-config:r -c: --cpus: -s --silent --run-in-band",
    operands: "read",
    runs: ["jscodeshift -t codemods/a.js src --dry --print"],
    asks: ["jscodeshift -t /tmp/x.js src"],
  }),
  defineProgram({
    names: "envinfo",
    does: "read",
    options:
      "--system --binaries --browsers --npmPackages? --npmGlobalPackages --preset: --json --yaml --markdown --all --languages --managers --utilities --SDKs --IDEs",
    operands: "value",
    runs: ["envinfo --system --binaries"],
    asks: ["envinfo --unknown"],
  }),
  defineProgram({
    names: "serve http-server live-server servor",
    does: "work",
    isOpen: true,
    options: "-l: --listen: -p: --port: -s -c: -a: -d -i -g -b -e: -o -S -C:r -K:r --config:c --cors --silent",
    operands: "read",
    runs: ["serve dist -l 5000", "http-server -p 8080 build"],
    asks: ["serve ..", "http-server /", "npx serve ~"],
  }),
];
