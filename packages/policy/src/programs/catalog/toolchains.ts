import { defineProgram, type ProgramUse } from "../define-program.ts";

const has = ({ options }: ProgramUse, ...names: readonly string[]) => options.some(({ name }) => names.includes(name));

const GO_BUILD =
  "-a -n -v -x -i -race -msan -asan -cover -json -work -trimpath -linkshared -mod: -modfile:c -modcacherw -o:w -p: -pgo: -pkgdir:c -tags: -buildmode: -buildvcs? -compiler: -gccgoflags:x -gcflags: -ldflags: -asmflags: -installsuffix: -covermode: -coverpkg: -coverprofile:w -overlay:c -toolexec:x -exec:x -vettool:x -C:d";

const CARGO =
  "-q -v -p: -F: -j: -Z: --quiet --verbose --color: --frozen --locked --offline --config:x --manifest-path:c --package: --workspace --all --exclude: --all-targets --all-features --no-default-features --features: --lib --bins --bin: --examples --example: --tests --test: --benches --bench: --release -r --profile: --target: --target-dir:w --jobs: --keep-going --message-format: --timings? --future-incompat-report --ignore-rust-version --lockfile-path:c --build-plan --unit-graph --artifact-dir:w -C:d";

export const TOOLCHAINS = [
  defineProgram({
    names: "go",
    does: "work",
    hasSingleDashLong: true,
    options: "-C:d",
    verbs: {
      "build vet list": {
        does: "work",
        operands: "read",
        options: `${GO_BUILD} -f: -m -deps -e -find -test -export -compiled -u -versions -retracted -reuse:r -fix -diff -composites? -printf? -copylocks? -unusedresult?`,
      },
      test: {
        does: "work",
        operands: "read",
        options: `${GO_BUILD} -args -c -bench: -benchmem -benchtime: -count: -cpu: -failfast -fullpath -fuzz: -fuzztime: -fuzzminimizetime: -list: -parallel: -run: -short -shuffle: -skip: -timeout: -vet: -blockprofile:w -cpuprofile:w -memprofile:w -mutexprofile:w -trace:w -outputdir:w -memprofilerate: -blockprofilerate: -test.v`,
      },
      run: {
        does: "work",
        operands: "read",
        options: GO_BUILD,
        stopsAtOperand: true,
        check: ({ operands }) =>
          operands.some(({ text }, at) => at === 0 && /@|^[\w-]+\.[a-z]{2,}\//.test(text)) ? "install" : null,
      },
      "fmt doc version": {
        does: "work",
        operands: "value",
        options: "-n -x -mod: -v -m -all -c -cmd -short -src -u -http",
      },
      env: { does: "read", operands: "value", options: "-json -changed -w=change -u=change" },
      mod: {
        does: "change",
        verbs: {
          "tidy download verify": {
            does: "restore",
            operands: "value",
            options: "-v -x -e -go: -compat: -json -diff -modfile:c",
          },
          "graph why": { does: "read", operands: "value", options: "-m -vendor -go: -x" },
          vendor: { does: "work", options: "-e -v -o:w" },
          "edit init": { does: "edit", operands: "value", isOpen: true },
        },
      },
      tool: {
        does: "work",
        operands: "value",
        options: "-n",
        stopsAtOperand: true,
        check: ({ operands }) =>
          /^(cover|pprof|trace|vet|nm|objdump|dist|test2json|asm|buildid|fix)$/.test(operands[0]?.text ?? "vet")
            ? null
            : "code",
      },
      work: {
        does: "change",
        operands: "value",
        verbs: { sync: "restore", "init use edit vendor": { does: "change", operands: "value" } },
      },
      generate: {
        does: "work",
        operands: "read",
        options: "-run: -skip: -n -v -x -C:d",
        check: (use) => (has(use, "-run") ? "code" : null),
      },
      "get install": {
        does: "install",
        operands: "value",
        options: `${GO_BUILD} -u? -t -d`,
        check: ({ verb, operands }) =>
          verb === "install" && operands.length > 0 && operands.every(({ text }) => /^\.\/?/.test(text))
            ? "work"
            : null,
      },
      clean: { does: "change", operands: "value", options: "-i -n -r -cache -testcache -modcache -fuzzcache -x" },
      help: { does: "read", operands: "value" },
      "bug telemetry": "change",
    },
    runs: [
      "go test ./...",
      "go build -o /tmp/app ./cmd/app",
      "go vet ./...",
      "go mod tidy",
      "go test -run TestX -v ./pkg -count=1",
      "go tool cover -func=/tmp/c.out",
      "go env GOPATH",
      "go run ./cmd/tool --help",
    ],
    asks: [
      "go test -exec /tmp/x ./...",
      "go vet -vettool=/tmp/x ./...",
      "go env -w GOFLAGS=x",
      "go install golang.org/x/tools/gopls@latest",
      "go get x",
      "go run github.com/x/y@latest",
      "go generate -run id ./...",
    ],
  }),
  defineProgram({
    names:
      "gofmt goimports gofumpt golangci-lint staticcheck revive gosec govulncheck errcheck ineffassign gotestsum ginkgo mockgen golint buf sqlc wire swag protoc protolint",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-l -w -d -s -e -r: -cpuprofile:w -local: -c:c -config:c -plugin:x -o:w -out:w -output:w -I:r -raw-command=code -post-run-command:x -watch",
    verbs: {
      "run linters version config lint format build breaking generate compile vet diff verify ls-files": {
        does: "work",
        operands: "read",
      },
      "push registry login": { does: "publish", operands: "value" },
      "dep mod beta cache bootstrap": { does: "change", operands: "value" },
    },
    operands: "read",
    check: (use) => (use.options.some(({ name }) => /^-?-plugin=|^-?-\w+_out/.test(name)) ? null : null),
    runs: ["gofmt -l .", "golangci-lint run ./...", "staticcheck ./...", "buf lint", "gotestsum ./..."],
    asks: ["golangci-lint run -c /tmp/x.yml", "buf push", "gofmt -w ~/x"],
  }),
  defineProgram({
    names: "cargo",
    does: "work",
    // `cargo +nightly fmt` is the same with another toolchain.
    ownWords: (args) => (/^\+[\w.-]+$/.test(args[0]?.text ?? "") ? args.slice(1) : args),
    options: `${CARGO} --list`,
    verbs: {
      "build b check c clippy doc d bench fix rustc rustdoc": {
        does: "work",
        operands: "value",
        options:
          "--fix --allow-dirty --allow-staged --allow-no-vcs --broken-code --edition --no-deps --open=change --document-private-items --no-run --no-fail-fast --print:",
      },
      "test t": { does: "work", operands: "value", options: "--no-run --no-fail-fast --doc --nocapture --ignored" },
      nextest: {
        does: "work",
        isOpen: true,
        operands: "value",
        verbs: { "run list show-config archive": { does: "work", operands: "value" }, self: "install" },
      },
      "run r": { does: "work", operands: "value", stopsAtOperand: true },
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
      "audit deny outdated udeps machete geiger bloat expand llvm-cov tarpaulin insta miri mutants semver-checks msrv hack spellcheck doc2readme careful criterion fuzz-list sort readme llvm-lines flamegraph criterion asm modules unused-features":
        { does: "work", isOpen: true, operands: "value", options: "-o:w --output-path:w --output-dir:w" },
      clean: "change",
      "add remove rm install uninstall update new init binstall upgrade": {
        does: "install",
        operands: "value",
        isOpen: true,
        check: (use) => (use.verb === "update" && has(use, "--dry-run") ? "read" : null),
      },
      "publish yank login logout owner": { does: "publish", operands: "value", isOpen: true },
      package: { does: "change", isOpen: true },
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
    ],
    asks: [
      "cargo add serde",
      "cargo install ripgrep",
      "cargo publish",
      "cargo clean",
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
      options.some(({ value }) => /^(linker|link-arg|link-args|llvm-args)=/.test(value?.text ?? "")) ? "code" : null,
    runs: ["rustfmt --check src/main.rs", "rustc --version", "wasm-pack build"],
    asks: ["rustc -C linker=/tmp/x a.rs", "wasm-pack publish"],
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
  defineProgram({
    names: "make gmake bmake",
    does: "work",
    options:
      "-BkinpqrRsStvwb -j? -l? -f:c -C:d -I:c -o: -W: -E:x --file:c --makefile:c --directory:d --include-dir:c --jobs? --load-average? --keep-going --dry-run --just-print --always-make --silent --quiet --question --touch --eval:x --print-data-base --no-builtin-rules --no-builtin-variables --output-sync? -O? --trace --debug? -d --warn-undefined-variables --no-print-directory --print-directory --ignore-errors --old-file: --assume-old: --new-file: --what-if: --environment-overrides -e=code --shuffle? --version",
    operands: "value",
    check: ({ operands }) => {
      if (
        operands.some(({ text }) =>
          /^(SHELL|MAKEFLAGS|\.SHELLFLAGS|MAKEFILES|CC|CXX|LD|AR|PYTHON|NODE|[A-Z_]*(CMD|COMMAND|SHELL|EXEC|RUN))\s*[:+?]?=/.test(
            text,
          ),
        )
      )
        return "code";
      if (operands.some(({ text }) => /^(publish|deploy|release|upload|push)([-_:].*)?$/.test(text))) return "publish";
      if (
        operands.some(({ text }) => /^(uninstall|distclean|mrproper|destroy|teardown|purge|wipe)([-_:].*)?$/.test(text))
      )
        return "destroy";
      return operands.some(({ text }) => /^install([-_:].*)?$/.test(text)) ? "change" : null;
    },
    runs: ["make", "make -j4 test", "make -C build test", "make -s print-version", "make dev"],
    asks: [
      "make SHELL=/tmp/x",
      "make -f /tmp/Makefile",
      "make --eval='x' all",
      "make deploy",
      "make install",
      "make -C /tmp/evil",
    ],
  }),
  defineProgram({
    names:
      "cmake ctest cpack meson ninja samu scons waf premake5 xmake autoreconf autoconf automake aclocal configure libtoolize",
    does: "work",
    isOpen: true,
    options:
      "-S:c -B:w -P:x -C:c -D: -G: -T: -A: -f:c -j: -R: -E: -V -t: --build:d --install:=change --test-dir:w --target: -t: --config: --preset: --toolchain:c --parallel? --output-on-failure --verbose --fresh --clean-first --prefix:=change --script:x --native-file:c --cross-file:c -O:w --output-junit:w --build-and-test:x -N",
    verbs: {
      "setup compile test configure introspect dist format fmt wrap env2mfile": { does: "work", operands: "read" },
      install: "change",
      devenv: "code",
      init: "edit",
    },
    operands: "read",
    runs: [
      "cmake -S . -B build",
      "cmake --build build -j4",
      "ctest --test-dir build --output-on-failure",
      "meson setup build",
      "meson compile -C build",
      "ninja -C build",
    ],
    asks: ["cmake -P /tmp/x.cmake", "cmake --install build", "ninja -C /tmp/x"],
    check: (use) =>
      use.options.some(({ name }) => name === "-E")
        ? "change"
        : use.options.some(
              ({ name, value }) =>
                name === "-D" &&
                /COMPILER|LAUNCHER|_PROGRAM|_COMMAND/.test(value?.text ?? "") &&
                /[/]/.test(value?.text ?? ""),
            )
          ? "code"
          : null,
  }),
  defineProgram({
    names:
      "gcc g++ cc c++ clang clang++ gcc-12 gcc-13 gcc-14 clang-17 clang-18 tcc icc nvcc emcc em++ ld ld.lld lld mold as nasm yasm gfortran gdc ldc2 dmd",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-o:w -c -S -E -I:r -L:r -l: -D: -U: -x: -include:r -isystem:r -T:c -MF:w -MT: -MD -MMD -g -v -shared -static -pthread -fPIC -B:x -specs:x -wrapper:x -fplugin:x -load:x -Xclang: -plugin:x -dumpdir:w -save-temps",
    operands: "read",
    check: ({ options, operands }) =>
      operands.some(({ text }) => text.startsWith("@")) ||
      options.some(({ value }) => /^-(load|plugin)/.test(value?.text ?? "")) ||
      options.some(({ name }) => /^-(fplugin|specs|wrapper|B[/.]|fuse-ld=\/|load|fpass-plugin)/.test(name))
        ? "code"
        : null,
    runs: ["gcc -O2 -Wall -o build/a a.c", "clang -fsyntax-only a.c", "g++ -std=c++20 -Iinclude src/a.cpp -o /tmp/a"],
    asks: [
      "gcc -fplugin=./x.so a.c",
      "gcc @/tmp/args a.c",
      "gcc -specs=/tmp/s a.c",
      "gcc -o /home/agent/.ssh/authorized_keys a.c",
    ],
  }),
  defineProgram({
    names:
      "clang-format clang-tidy cppcheck cpplint include-what-you-use iwyu shellcheck shfmt hadolint actionlint yamlfmt taplo tflint checkov kubeconform kubeval kube-linter conftest ktlint detekt google-java-format swiftlint swiftformat scalafmt scalafix rubocop standardrb reek erb_lint brakeman haml-lint slim-lint phpcs phpcbf phpstan psalm php-cs-fixer pint rector credo dialyzer luacheck stylua selene hlint ormolu fourmolu stylish-haskell cabal-fmt nixpkgs-fmt nixfmt alejandra statix deadnix verible-verilog-lint verilator sqlfmt typos vale proselint write-good gitleaks dotenv-linter editorconfig-checker ec zizmor pinact ls-lint jsonlint check-jsonschema ajv v8r cue opa regal oxfmt",
    does: "work",
    isOpen: true,
    options:
      "-i -w -c:c --config:c -p:r -d -l -s: -f: -e: -x -a -A --style: --format: --checks: --fix --autocorrect --auto-correct --only: --except: --require:c -r:c --plugin:c --rulesdir:x --load:x -load:x --configuration:c --bootstrap:c --autoload-file:c -o:w --output:w --report-file:w --out:w --lint-only -Wall",
    verbs: {
      "check lint fmt format analyse analyze fix eval vet export detect dir git verify test process validate": {
        does: "work",
        operands: "read",
      },
    },
    operands: "read",
    runs: [
      "shellcheck scripts/*.sh",
      "hadolint Dockerfile",
      "clang-format -i src/a.c",
      "rubocop -A",
      "phpstan analyse src",
      "verilator --lint-only top.v",
    ],
    asks: ["rubocop --require /tmp/x.rb", "clang-tidy --load=/tmp/x.so a.c", "shfmt -w ~/x.sh"],
  }),
  defineProgram({
    names:
      "mvn mvnw mvnd gradle gradlew ant sbt lein mill bazel bazelisk buck2 pants please plz amper kotlinc scala-cli bleep clj",
    does: "work",
    isOpen: true,
    options:
      "-f:c --file:c -s:c --settings:c -gs:c -b:c --build-file:c -c:c --settings-file:c -p:d --project-dir:d -I:c --init-script:c -g:c --gradle-user-home:c -D? -P? -pl: -am -amd -rf: -o -q -B -e -X -T: -U -N -ntp -x: --tests: --info --debug --stacktrace --scan=publish --offline --refresh-dependencies --rerun-tasks --continue --no-daemon --parallel --console: --warning-mode: --exclude-task: --include-build:c --project-cache-dir:w --bazelrc:c --output_base:w --output_user_root:w --config: --test_output: --test_filter: --keep_going -k --noshow_progress --run_under:x --script_path:w --host_jvm_args:x -java-home:x --java-home:x -jvm-debug:=code -mem: -Dsbt.version?",
    operands: "value",
    check: ({ operands, options }) => {
      const goals = operands.map(({ text }) => text);
      if (
        goals.some((goal) =>
          /^(deploy|release|publish|site-deploy|nexus-staging|bintrayUpload|uploadArchives|closeAndRelease|jib|push|docker:push|dockerPush|sonar)|:(deploy|release|publish\w*|perform|push)\b/i.test(
            goal,
          ),
        )
      )
        return "publish";
      if (goals.some((goal) => /^exec:|:exec\b|^(groovy:|antrun:|console|repl|shell|consoleQuick|runMain)/.test(goal)))
        return "code";
      if (options.some(({ name }) => /^-D?exec\.(executable|args)|^-Dexec\./.test(name))) return "code";
      if (goals.some((goal) => /^(wrapper|init|archetype:|versions:set|dependency:get|new|create)/.test(goal)))
        return "change";
      return goals.some((goal) => /^(clean|distclean|expunge|mobile-install|shutdown)$/.test(goal)) &&
        goals.length === 1
        ? "work"
        : null;
    },
    runs: [
      "mvn -q test",
      "mvn test -Dtest=UserServiceTest",
      "gradle build -x test",
      "sbt test",
      "bazel query //...",
      "bazel test //pkg/...",
      "lein test",
    ],
    asks: [
      "mvn -f /tmp/pom.xml test",
      "mvn exec:exec -Dexec.executable=/tmp/x",
      "mvn deploy",
      "gradle publish",
      "gradle -I /tmp/i.gradle build",
      "bazel run --run_under=./x //a",
    ],
  }),
  defineProgram({
    names: "java javac javadoc jar javap kotlin jlink jpackage",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-cp:c -classpath:c --class-path:c -jar:c -d:w -sourcepath:c -version -showversion --version -fullversion -Xmx? -Xms? -javaagent:x -agentlib:x -agentpath:x -processor:c -processorpath:c --processor-path:c --module-path:c -p:c -m: -s:w -h -c -v -l -tf:r -tvf:r -cf:w -xf:r -cvf:w -XX? -D? -ea",
    operands: "read",
    stopsAtOperand: false,
    check: ({ options }) =>
      options.some(({ name }) => /^-(javaagent|agentlib|agentpath|XX:On)/.test(name)) ? "code" : null,
    runs: ["javac -d out src/A.java", "java -cp out A", "java -version", "java -jar build/app.jar --help"],
    asks: ["java -jar /tmp/x.jar", "java -javaagent:/tmp/x.jar A"],
  }),
  defineProgram({
    names: "dotnet",
    does: "work",
    isOpen: true,
    options:
      "-c: --configuration: -o:w --output:w -f: --framework: -r: --runtime: -v: --verbosity: --no-restore --no-build --nologo --filter: --logger: -l: --settings:c -s:h --source:h --collect: --results-directory:w --info --list-sdks --list-runtimes -p: --project:c -d -t --additional-deps:c --additionalprobingpath:c --roll-forward: --test-adapter-path:c",
    operands: "read",
    verbs: {
      "build test run watch format msbuild clean pack build-server vstest": { does: "work", operands: "read" },
      restore: { does: "restore", operands: "read" },
      "list sdk help": { does: "read", operands: "value" },
      ef: {
        does: "change",
        operands: "value",
        verbs: {
          migrations: {
            does: "work",
            operands: "value",
            verbs: { "list has-pending-model-changes script": "work", add: "edit", remove: "change" },
          },
          dbcontext: { does: "work", operands: "value" },
          database: { does: "change", operands: "value", verbs: { drop: "destroy", update: "change" } },
        },
      },
      "add remove new tool workload package reference sln": {
        does: "install",
        operands: "value",
        verbs: { list: { does: "read", operands: "value" }, restore: "restore" },
      },
      nuget: { does: "publish", operands: "value", verbs: { "list why verify": "read" } },
      publish: "work",
      "user-secrets": { does: "secret", operands: "value" },
      "dev-certs": "change",
    },
    runs: ["dotnet test --filter X", "dotnet restore", "dotnet build -c Release", "dotnet list package"],
    asks: ["dotnet add package X", "dotnet nuget push x", "dotnet user-secrets list", "dotnet tool install x"],
  }),
  defineProgram({
    names: "mix rebar3 gleam elixirc erlc",
    does: "work",
    isOpen: true,
    operands: "value",
    options: "-r:c --require:c -e:x --eval:x",
    check: ({ operands }) => {
      const task = operands[0]?.text ?? "";
      if (
        /^(test|compile|format|credo|dialyzer|help|phx\.routes|phx\.server|xref|docs|coveralls(\..*)?|ecto\.(migrations|migrate|create|gen\..*|dump)|deps(\.tree|\.audit)?|hex\.(audit|outdated|info)|sobelow|assets\.build|check|build|ct|eunit|run|proper|lint|gettext\..*|phx\.gen\..*|clean|app\.tree|profile\..*|lock|xref)$/.test(
          task,
        )
      )
        return task === "run" ? "work" : "work";
      if (task === "deps.get" || task === "deps.compile") return "restore";
      if (/^(ecto\.(drop|reset|rollback))$/.test(task)) return "destroy";
      if (/^hex\.publish|^hex\.(user|organization|owner|retire)|^publish$/.test(task)) return "publish";
      return task === "" ? "read" : "change";
    },
    runs: ["mix test", "mix format --check-formatted", "mix deps.get", "gleam test"],
    asks: ["mix ecto.drop", "mix hex.publish", "mix archive.install x"],
  }),
  defineProgram({
    names: "bundle bundler",
    does: "restore",
    isOpen: true,
    options: "--gemfile:c --path:w --jobs: -j: --quiet --without: --with: --local --deployment --frozen",
    verbs: {
      "install check": { does: "restore", operands: "value" },
      "show list info outdated platform help licenses audit": { does: "read", operands: "value" },
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      config: {
        does: "change",
        operands: "value",
        verbs: { "list get": { does: "read", operands: "value" }, "set unset": "change" },
      },
      "add remove update lock init open console binstubs clean gem plugin inject pristine cache package viz": {
        does: "install",
        operands: "value",
      },
    },
    check: (use) => (use.verb === "" && use.operands.length > 0 ? "install" : null),
    runs: ["bundle install", "bundle exec rspec spec/models", "bundle list", "bundle exec rubocop"],
    asks: ["bundle update", "bundle add x", "bundle exec rm x", "bundle config set path x"],
  }),
  defineProgram({
    names: "rails rake rspec rails-erd guard spring puma rackup minitest cucumber thor hanami",
    does: "work",
    isOpen: true,
    options:
      "-r:c --require:c -f:c --rakefile:c -I:c -C:c --config:c -e: --environment: --format: --out:w -o:w -P: -t: -p: -b: -c:c -E:x -s -T -n: --name: --seed: --tag: --example:",
    operands: "read",
    check: ({ operands }) => {
      const task = operands[0]?.text ?? "";
      if (/^(console|c|runner|r|dbconsole|db|credentials:\w+|secrets:\w+|encrypted:\w+)$/.test(task))
        return task.includes(":") ? "secret" : "code";
      if (
        /^db:(drop|reset|setup|schema:load|structure:load|truncate_all|purge|migrate:reset|rollback|migrate:down|seed:replant)/.test(
          task,
        )
      )
        return "destroy";
      if (/^(release|deploy|publish)/.test(task)) return "publish";
      if (/^(new|plugin|app:update|app:template|gem|assets:clobber)/.test(task)) return "change";
      return null;
    },
    runs: ["rails routes", "rspec spec/models", "rake test", "rails db:migrate", "rails test test/models"],
    asks: ["rails db:drop", "rails console", "rspec -r /tmp/x.rb", "rails credentials:show"],
  }),
  defineProgram({
    names: "composer",
    does: "install",
    isOpen: true,
    options: "-d:d --working-dir:d --no-interaction -n --no-dev --quiet -q --prefer-dist --optimize-autoloader -o",
    operands: "value",
    verbs: {
      "install i": { does: "restore", operands: "value" },
      "show info outdated validate diagnose check-platform-reqs depends why prohibits why-not licenses audit status suggests fund search about list help":
        { does: "read", operands: "value" },
      "dump-autoload dumpautoload run run-script test": { does: "work", operands: "value" },
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      config: { does: "change", operands: "value" },
      "require remove update u upgrade create-project init global self-update selfupdate reinstall bump archive clear-cache":
        { does: "install", operands: "value" },
    },
    runs: ["composer install", "composer validate", "composer dump-autoload", "composer test"],
    asks: ["composer require monolog/monolog", "composer update", "composer global require x"],
  }),
  defineProgram({
    names: "phpunit pest artisan codecept behat paratest infection phpspec drush wp symfony",
    does: "work",
    isOpen: true,
    options:
      "-c:c --configuration:c --bootstrap:c --filter: --testsuite: --coverage-html:w --coverage-clover:w --log-junit:w",
    operands: "read",
    check: ({ operands, name }) =>
      name === "wp" && /^(db:|sql|eval|plugin|core|user|search-replace)/.test(operands[0]?.text ?? "")
        ? "change"
        : null,
    runs: ["phpunit", "pest --filter x", "phpunit tests/Unit"],
    asks: ["phpunit --bootstrap /tmp/x.php", "phpunit /tmp/evil"],
  }),
  defineProgram({
    names: "swift swiftc flutter dart fvm",
    does: "work",
    isOpen: true,
    options:
      "-c: --configuration: --package-path:d --filter: -o:w --output:w --target: -d: --release --debug --coverage",
    operands: "read",
    verbs: {
      "test build run analyze format fix compile gen-l10n doctor devices bundle drive assemble": {
        does: "work",
        operands: "read",
      },
      package: {
        does: "change",
        operands: "value",
        verbs: {
          "describe show-dependencies dump-package resolve tools-version": "work",
          "update init edit reset purge-cache clean": "change",
        },
      },
      pub: {
        does: "install",
        operands: "value",
        verbs: {
          get: "restore",
          "deps outdated": "read",
          "add remove upgrade global downgrade": "install",
          publish: "publish",
          run: "work",
        },
      },
      "create upgrade channel config install precache downgrade": { does: "install", operands: "value" },
      clean: "change",
    },
    runs: ["swift test", "flutter test", "dart format lib", "flutter analyze", "dart pub get", "swift build"],
    asks: ["flutter pub publish", "dart pub add x", "flutter upgrade"],
  }),
  defineProgram({
    names:
      "zig nim nimble crystal shards ghc stack cabal dune ocamlfind ocamlopt ocamlc opam elm-test elm-review elm-format purs spago idris2 agda lean lake coqc gnat gprbuild fpc vlang v odin perlcritic perltidy bats busted raco roc haxe solc forge hardhat truffle anchor vyper slither aiken move",
    does: "work",
    isOpen: true,
    options:
      "-o:w --output:w --out:w -e:x --eval:x -package: -p: -I:r -L:r -c --config:c --cfg:c --prefix:=change --plugin:x -fplugin:x -pgmF:x -pp:x -ppx:x",
    operands: "read",
    verbs: {
      "build test run check spec c compile cc fmt format exec bench haddock doc lint analyze ocamlopt ocamlc ast-check build-exe build-lib build-obj make review tool":
        { does: "work", operands: "read" },
      "list info show query tree env path var targets version help outdated": { does: "read", operands: "value" },
      "install add remove init new update upgrade uninstall pin fetch switch setup clean create deps": {
        does: "install",
        operands: "value",
      },
      "publish upload push deploy script send": { does: "publish", operands: "value" },
      "repl ghci top utop play console": { does: "code", operands: "value" },
    },
    runs: [
      "zig build test",
      "nim c -r test.nim",
      "crystal spec",
      "cabal test",
      "stack build",
      "dune build",
      "elm-test",
      "bats test/",
      "ocamlfind ocamlopt -package str a.ml -o a",
      "forge test",
    ],
    asks: ["nimble install x", "opam install x", "nimble publish", "stack ghci", "forge script x"],
  }),
  defineProgram({
    names:
      "latexmk pdflatex xelatex lualatex tex latex bibtex biber pandoc dot neato fdp sfdp circo twopi plantuml mmdc asciidoctor typst hugo jekyll mdbook zola d2 ffmpeg convert magick imagemagick mogrify optipng pngquant jpegoptim cwebp inkscape sox qpdf ps2pdf rsvg-convert drawio",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-o:w -output:w -out:w --output:w -output-directory:w -outdir:w -auxdir:w -i:r -T: -f: -t: -s -pdf -xelatex -shell-escape=code --shell-escape=code -enable-write18=code -e:x -latex:x -pdflatex:x --filter:x -F:x --lua-filter:x -L:x --template:c --defaults:c -d:c --pdf-engine:x --extract-media:w -r:c --require:c -y -n -c -C -ss: -to: -vf: -r: -vn -an -acodec: -vcodec: -hide_banner -loglevel: -map: -filter_complex:",
    operands: "write",
    verbs: { "serve server build compile watch new test": { does: "work", operands: "value" }, deploy: "publish" },
    runs: [
      "latexmk -pdf paper.tex",
      "pandoc README.md -o /tmp/readme.html",
      "dot -Tpng graph.dot -o graph.png",
      "ffmpeg -i in.mp4 -t 5 out.gif",
      "mdbook build",
    ],
    asks: ["pdflatex -shell-escape a.tex", "pandoc --filter ./x a.md", "dot -o ~/.bashrc x", "convert x ~/.bashrc"],
  }),
  defineProgram({
    names: "just task mage earthly foreman overmind hivemind honcho process-compose",
    does: "work",
    namesScript: true,
    isOpen: true,
    options:
      "-f:c --justfile:c --taskfile:c -t:c -d:d --working-directory:d --dir:d --shell:x --shell-arg:x --shell-command=code -c=code --command=code -p: -l --list --summary --dry-run -n --show: -e=change --edit=change --choose=code --set: --evaluate --dotenv-path:c -E:c",
    operands: "value",
    check: ({ operands, options }) => {
      if (options.some(({ name }) => /^(-c|--command|--shell-command)$/.test(name))) return "code";
      return operands.some(({ text }) => /^(install|publish|deploy|release|push|upload)([-_:].*)?$/.test(text))
        ? operands.some(({ text }) => text.startsWith("install"))
          ? "change"
          : "publish"
        : null;
    },
    runs: ["just test", "just fix -p codex-core", "task build", "just --list"],
    asks: ["just --shell ./x test", "just deploy", "just -f /tmp/justfile x"],
  }),
  defineProgram({
    names: "octave R Rscript julia",
    does: "work",
    options:
      "-e: --eval: --slave --no-save --no-restore --vanilla --quiet -q --silent --no-init-file --no-site-file --no-gui --project?c --startup-file: --color: -t: --threads: --optimize: -O? --check-bounds: --no-echo --no-environ --no-site-file -f:c --file:c",
    operands: "read",
    stopsAtOperand: true,
    check: (use) => (use.operands.length === 0 && use.options.every(({ value }) => value === null) ? "code" : null),
    runs: ["Rscript analysis.R", "julia test/runtests.jl"],
    asks: ["R", "julia", "Rscript /tmp/x.R"],
  }),
];
