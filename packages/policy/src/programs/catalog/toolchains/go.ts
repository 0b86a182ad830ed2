import { defineProgram, type ProgramUse } from "../../define-program.ts";
import { placesIn } from "../../effects/places.ts";
import { has } from "../use.ts";

const GO_BUILD =
  "-a -n -v -x -i -race -msan -asan -cover -json -work -trimpath -linkshared -mod: -modfile:c -modcacherw -o:w -p: -pgo: -pkgdir:c -tags: -buildmode: -buildvcs? -compiler: -gccgoflags:x -gcflags: -ldflags: -asmflags: -installsuffix: -covermode: -coverpkg: -coverprofile:w -overlay:c -toolexec:x -exec:x -vettool:x -C:d";

/** `go test example.org/x@latest`: a module that is fetched for it. */
const FETCHED = ({ verb, operands }: ProgramUse) =>
  verb !== "list" && operands.some(({ text }) => /^[\w-]+\.[\w.-]+\/[^@]*@/.test(text)) ? "install" : null;

export const GO = [
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
        check: FETCHED,
      },
      test: {
        does: "work",
        operands: "read",
        options: `${GO_BUILD} -args -c -bench: -benchmem -benchtime: -count: -cpu: -failfast -fullpath -fuzz: -fuzztime: -fuzzminimizetime: -list: -parallel: -run: -short -shuffle: -skip: -timeout: -vet: -blockprofile:w -cpuprofile:w -memprofile:w -mutexprofile:w -trace:w -outputdir:w -memprofilerate: -blockprofilerate: -test.v`,
        check: FETCHED,
      },
      run: {
        does: "work",
        operands: "read",
        options: GO_BUILD,
        stopsAtOperand: true,
        check: ({ operands }) =>
          operands.some(({ text }, at) => at === 0 && /@|^[\w-]+\.[a-z]{2,}\//.test(text)) ? "install" : null,
      },
      "fmt doc version fix": {
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
          operands.some((operand) => operand.text.startsWith("-http") || placesIn(operand).addresses.length > 0)
            ? "network"
            : /^(cover|pprof|trace|vet|nm|objdump|dist|test2json|asm|buildid|fix)$/.test(operands[0]?.text ?? "vet")
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
          verb === "install" &&
          operands.length > 0 &&
          operands.every(({ text }) => (text === "." || text.startsWith("./")) && !text.split("/").includes(".."))
            ? "work"
            : null,
      },
      clean: {
        does: "change",
        operands: "value",
        options: "-i -n -r -cache -testcache -modcache -fuzzcache -x",
        check: (use) =>
          use.options.length > 0 && use.options.every(({ name }) => name === "-testcache") ? "work" : null,
      },
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
      "gofmt goimports gofumpt golangci-lint staticcheck revive gosec govulncheck errcheck ineffassign gotestsum ginkgo mockgen mockery golint buf sqlc wire swag protoc protolint golines gci gopls benchstat richgo templ buildifier buildozer-lint go-junit-report gocyclo gocognit dupl unparam nilaway deadcode govulncheck-db ko-resolve gotests counterfeiter stringer enumer oapi-codegen unconvert",
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
    rewrites: { with: ["-w"] },
    runs: ["gofmt -l .", "golangci-lint run ./...", "staticcheck ./...", "buf lint", "gotestsum ./..."],
    asks: ["golangci-lint run -c /tmp/x.yml", "buf push", "gofmt -w ~/x"],
  }),
  defineProgram({
    names: "dlv",
    does: "code",
    isOpen: true,
    verbs: {
      version: "read",
      "test debug exec attach connect core replay trace dap": { does: "code", operands: "read" },
    },
    runs: ["dlv version"],
    asks: ["dlv debug", "dlv attach 1"],
  }),
  defineProgram({
    names: "reflex",
    does: "work",
    options:
      "-r: -R: -g: -G: -c:c -s -v -e -d: -t: --regex: --inverse-regex: --glob: --inverse-glob: --config:c --start-service --substitute: --decoration: --shutdown-timeout: --sequential --only-files --only-dirs --all --verbose",
    operands: "value",
    stopsAtOperand: true,
    wraps: {},
    runs: ["reflex -r '\\.go$' -- go test ./...", "reflex -s -g '*.go' go run ."],
    asks: ["reflex -r x -- rm x", "reflex -c /tmp/reflex.conf"],
  }),
  // It takes each of its settings as an option, too.
  defineProgram({
    names: "air",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options: `-c:c -d -h -v ${["cmd", "bin", "full_bin", "entrypoint", "pre_cmd", "post_cmd", "args_bin"].map((name) => `-build.${name}: --build.${name}:`).join(" ")}`,
    verbs: { init: "edit" },
    operands: "value",
    wraps: {
      skip: 99,
      code: ["cmd", "bin", "full_bin", "entrypoint", "pre_cmd", "post_cmd"].flatMap((name) => [
        `-build.${name}`,
        `--build.${name}`,
      ]),
    },
    runs: ["air", "air -c .air.toml", "air --build.cmd 'go build -o tmp/main .'"],
    asks: ["air -c /tmp/a.toml", "air -build.cmd 'rm x'", "air --build.bin=/tmp/x"],
  }),
  defineProgram({
    names: "goreleaser",
    does: "work",
    isOpen: true,
    options: "-c:c --config:c -f:c -d --snapshot --clean --skip: --single-target",
    verbs: { "check build healthcheck": "work", release: "publish", init: "edit" },
    operands: "value",
    check: (use) => {
      if (use.verb === "release") return use.options.some(({ name }) => name === "--snapshot") ? "work" : null;
      // Older versions release without a verb.
      return use.verb === "" ? "publish" : null;
    },
    runs: ["goreleaser check", "goreleaser release --snapshot --clean"],
    asks: ["goreleaser release", "goreleaser --clean"],
  }),
];
