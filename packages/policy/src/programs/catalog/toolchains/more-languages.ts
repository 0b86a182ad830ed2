import { defineProgram, type Effect } from "../../define-program.ts";
import { valuesOf } from "../use.ts";

/** Calls that submit a package, deploy an application or register a version. */
const PUBLISHING_CALL =
  /\b(?:release|submit_cran|deployApp|deployDoc|deploySite|deployAPI|publish_\w+|pin_upload|register|deploydocs|use_github_release)\s*\(/;

const INSTALLING_CALL =
  /\b(?:install[._]packages|install_(?:github|gitlab|git|url|version|bitbucket|cran|dev|local|deps)|pkg_install|BiocManager::install|pacman::p_load|Pkg\.(?:add|develop|dev))\s*\(/;

const FORGE_THING = /^(?:pr|prs|repo|issue|pipeline|branch|auth|api|snippet|webhook|project)$/;

/** A simulated phone: building for it and looking at it is work, taking its data away is not. */
function simulatorEffect([verb = "list", , tool, action = ""]: readonly string[]): Effect {
  if (/^(?:list|help|getenv|io|listapps|appinfo|get_app_container|bootstatus)$/.test(verb)) return "read";
  if (/^(?:boot|install|launch|status_bar|ui)$/.test(verb)) return "work";
  // It prints what the simulated device logs.
  return verb === "spawn" && tool === "log" && /^(?:stream|show)$/.test(action) ? "read" : "change";
}

export const MORE_LANGUAGES = [
  defineProgram({
    names:
      "zig nim nimble crystal shards ghc stack cabal dune ocamlfind ocamlopt ocamlc opam elm-test elm-review elm-format gnat gprbuild fpc vlang v odin perlcritic perltidy bats roc haxe aiken move",
    does: "work",
    isOpen: true,
    options:
      "-o:w --output:w --out:w -e:x --eval:x -package: -p: -I:r -L:r -c --config:c --cfg:c --prefix:=change --plugin:x -fplugin:x -pgmF:x -pp:x -ppx:x",
    operands: "read",
    verbs: {
      "build test run check spec c compile cc fmt format bench haddock doc lint analyze ocamlopt ocamlc ast-check build-exe build-lib build-obj make review tool":
        { does: "work", operands: "read" },
      // The project's own programs, or others with its environment.
      exec: { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true, knownOnly: true } },
      "list info show query tree env path var targets version help outdated": { does: "read", operands: "value" },
      "install add remove init new update upgrade uninstall pin fetch setup clean create deps": {
        does: "install",
        operands: "value",
      },
      switch: { does: "install", operands: "value", verbs: { "list show": "read" } },
      "publish upload push deploy script send": { does: "publish", operands: "value" },
      "repl ghci top utop play console eval i": { does: "code", operands: "value" },
    },
    runs: [
      "zig build test",
      "nim c -r test.nim",
      "crystal spec",
      "cabal test",
      "stack build",
      "dune build",
      "dune exec -- my-tool --help",
      "stack exec my-app",
      "elm-test",
      "bats test/",
      "opam switch list",
      "ocamlfind ocamlopt -package str a.ml -o a",
      "stack exec my-server -- --port 3000",
      "opam exec -- dune build",
      "dune exec ./bin/main.exe",
    ],
    asks: [
      "nimble install x",
      "opam install x",
      "opam switch create 5.2",
      "nimble publish",
      "stack ghci",
      "stack exec -- git push",
      "cabal exec rm src/a.hs",
      "opam exec -- npm publish",
      "crystal eval 'puts 1'",
      "opam exec -- rm x",
      "cabal exec -- npm publish",
    ],
  }),
  defineProgram({
    names: "octave R Rscript julia",
    does: "work",
    // Words after `julia -m Name` belong to that package.
    ownWords: (args) => {
      const at = args.findIndex(({ text }) => text === "-m");
      return at < 0 ? args : args.slice(0, at + 2);
    },
    options:
      "-e: --eval: --slave --no-save --no-restore --vanilla --quiet -q --silent --no-init-file --no-site-file --no-gui --project?c --startup-file: --color: -t: --threads: --optimize: -O? --check-bounds: --no-echo --no-environ -f:c --file:c -m: --module: -p: --procs: -L:c --load:c -J:c --sysimage:c -i=code --depwarn: --warn-overwrite: --compile: --inline: --history-file: --code-coverage? --track-allocation? --banner: --pkgimages: --heap-size-hint? --quiet",
    operands: "read",
    stopsAtOperand: true,
    check: (use) => {
      if (valuesOf(use, "-e", "--eval").some((code) => PUBLISHING_CALL.test(code))) return "publish";
      if (valuesOf(use, "-e", "--eval").some((code) => INSTALLING_CALL.test(code))) return "install";
      if (use.operands[0]?.text === "CMD" && /^(?:INSTALL|REMOVE)$/.test(use.operands[1]?.text ?? "")) return "install";
      return use.operands.length === 0 && use.options.every(({ value }) => value === null) ? "code" : null;
    },
    runs: ["Rscript analysis.R", "julia test/runtests.jl", "julia --project=@runic -m Runic --check src"],
    asks: [
      "R",
      "R CMD INSTALL x",
      "R -e 'devtools::release()'",
      "Rscript -e 'rsconnect::deployApp()'",
      "julia",
      "julia -i src/a.jl",
      "julia -L /tmp/x.jl src/a.jl",
      "Rscript /tmp/x.R",
    ],
  }),
  defineProgram({
    names: "prove",
    does: "work",
    isOpen: true,
    options:
      "-lbrvwsqQmofDcT -I:c -j: -e:x -P:x -a:w -M: --lib --blib --recurse --verbose --jobs: --exec:x --archive:w --harness:x --formatter:x --source:x --state: --statefile:w --rc:c --norc --ext: --shuffle --color --timer --merge --failures --comments --directives --quiet",
    operands: "read",
    runs: ["prove -lr t", "prove -v t/basic.t"],
    asks: ["prove /tmp/x.t", "prove -P Other t/", "prove --exec ./x t/", "prove -I /tmp/lib t/"],
  }),
  defineProgram({
    names:
      "luac busted coffee purs spago raco csc fsc mcs mono runghc runhaskell ocaml ocamlformat hpack erb steep srb sorbet solargraph guild bb scala amm groovy raku racket guile",
    does: "work",
    isOpen: true,
    options: "-o:w -p -l -v -r -b -j: -I:r -c -e:x -E:x -g:x --eval:x --goal:x --run: -out:w -target: -reference:r",
    operands: "read",
    verbs: {
      "publish upload": { does: "publish", operands: "value" },
      pkg: {
        does: "install",
        operands: "value",
        verbs: {
          "show info config-show": "read",
          "catalog-publish catalog-copy": "publish",
          "remove uninstall": "destroy",
        },
      },
    },
    check: ({ name, operands, options }) =>
      // The client of Bitbucket has the same name as an interpreter.
      name === "bb" && FORGE_THING.test(operands[0]?.text ?? "")
        ? /^(?:list|ls|view|show|status|diff|checks)$/.test(operands[1]?.text ?? "")
          ? "remote"
          : "publish"
        : /^(ocaml|scala|amm|bb|groovy|raku|racket|guile)$/.test(name) && operands.length === 0 && options.length === 0
          ? "code"
          : null,
    runs: ["luac -p init.lua", "busted spec", "runghc Main.hs"],
    asks: [
      "spago publish",
      "bb pr merge 1",
      "raco pkg catalog-publish",
      "raco pkg install x",
      "scala",
      "runghc /tmp/x.hs",
    ],
  }),
  defineProgram({
    names: "luarocks cpan cpanm nuget msbuild pod carthage tuist xcodegen",
    does: "install",
    isOpen: true,
    options: "-p: -t: -m -v: -r -target: -property: -restore -o:w -OutputDirectory:w",
    operands: "value",
    verbs: {
      "list show search which doc path config-show outdated env": { does: "read", operands: "value" },
      "lint test build generate make": { does: "work", operands: "read" },
      restore: { does: "restore", operands: "read" },
      "lib spec": { does: "install", operands: "value", verbs: { lint: { does: "work", operands: "read" } } },
      "upload push trunk publish": { does: "publish", operands: "value" },
    },
    check: ({ name, verb, operands, options }) => {
      if (name === "msbuild" || name === "xcodegen") return "work";
      return (name === "pod" || name === "carthage") &&
        verb === "" &&
        operands[0]?.text === "install" &&
        options.length === 0
        ? "restore"
        : null;
    },
    runs: ["luarocks list", "nuget restore", "msbuild App.sln -t:Build", "pod install", "pod lib lint"],
    asks: ["luarocks install x", "pod trunk push", "cpanm X"],
  }),
  defineProgram({
    names: "xcodebuild xcrun xcode-select plutil agvtool",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-project:c -workspace:c -scheme: -target: -configuration: -destination: -sdk: -derivedDataPath:w -resultBundlePath:w -archivePath:w -exportPath:w -exportOptionsPlist:c -list -json -version -showsdks -showBuildSettings -quiet -p -lint -find --find -f --style: --predicate: --level: -exportArchive=publish -allowProvisioningUpdates=change -s=change -switch:=change --install=install -convert:=edit -replace:=edit -insert:=edit -remove:=edit",
    operands: "value",
    check: ({ name, operands, options }) => {
      const [tool] = operands;
      if (name !== "xcrun" || tool === undefined) return null;
      if (/^(altool|notarytool|stapler)$/.test(tool.text)) return "publish";
      if (options.some(({ name: option }) => /^--?(?:find|show-sdk-path|show-sdk-version)$/.test(option)))
        return "read";
      const words = operands.map(({ text }) => text);
      if (tool.text === "simctl") return simulatorEffect(words.slice(1));
      return /^(swift|swiftc|clang|nm|otool|size|dwarfdump|xcresulttool|llvm-cov|swift-format)$/.test(tool.text)
        ? null
        : "change";
    },
    runs: [
      "xcodebuild -list -json",
      "xcodebuild test -scheme App -destination 'platform=iOS Simulator,name=iPhone 15'",
      "xcrun simctl list",
      "xcrun --find swift-format",
      "xcrun simctl spawn booted log stream --style compact",
      "xcrun simctl boot 'iPhone 15'",
      "xcrun simctl launch booted com.example.app",
      "xcode-select -p",
    ],
    asks: [
      "xcodebuild -exportArchive -archivePath a",
      "xcrun altool --upload-app",
      "xcrun simctl erase all",
      "xcrun simctl spawn booted rm x",
      "xcrun simctl openurl booted https://example.com",
    ],
  }),
  defineProgram({
    names: "dzil carton zef alr",
    does: "change",
    isOpen: true,
    options: "-v -q -I:c --lib:c --deployment --cached --verbose --jobs: -j:",
    operands: "value",
    verbs: {
      "test xtest build smoke cover listdeps check show info list tree search locate": {
        does: "work",
        operands: "value",
      },
      "exec run": { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      "install update upgrade add get fetch with authordeps": { does: "install", operands: "value" },
      "release publish upload": { does: "publish", operands: "value" },
      "clean nop uninstall": { does: "change", operands: "value" },
    },
    // Alire runs the program that it has built.
    check: ({ name, verb }) => (name === "alr" && verb === "run" ? "work" : null),
    runs: ["dzil test", "carton exec prove -lr t", "zef test .", "alr build"],
    asks: ["dzil release", "carton install", "carton exec rm x", "zef install JSON::Fast", "alr with x", "alr publish"],
  }),
  defineProgram({
    names: "sbcl ecl clisp csi gsi chez chibi-scheme",
    does: "work",
    options:
      "--script:c --load:c -s:c -l:c --eval:x -e:x -q --non-interactive --noinform --quit --disable-debugger --no-userinit --no-sysinit --version",
    operands: "read",
    stopsAtOperand: true,
    // Without a script it opens a prompt.
    check: ({ options, operands }) =>
      operands.length === 0 && !options.some(({ name }) => /^(?:--script|--load|-s|-l|--version)$/.test(name))
        ? "code"
        : null,
    runs: ["sbcl --script tests.lisp", "csi -s tests.scm"],
    asks: ["sbcl", "sbcl --script /tmp/x.lisp", "sbcl --eval '(x)'"],
  }),
  defineProgram({
    names: "swipl gprolog",
    does: "work",
    options:
      "-g: -t: -q -s:c -f:c -c -l:c --goal: --traditional --no-tty --stack-limit? -O --dump-runtime-variables -v --version -o:w",
    operands: "read",
    stopsAtOperand: true,
    check: (use) => {
      const goals = valuesOf(use, "-g", "-t", "--goal");
      // A plain name is a rule of the project's own file.
      if (goals.some((goal) => !/^[a-z]\w*$/.test(goal))) return "code";
      return use.operands.length === 0 &&
        use.options.every(({ name }) => name !== "-s" && name !== "-v" && name !== "--version")
        ? "code"
        : null;
    },
    runs: ["swipl -g run_tests -t halt tests.pl", "swipl -v"],
    asks: ["swipl", "swipl -g 'shell(ls)' x.pl", "swipl -g run_tests /tmp/x.pl"],
  }),
  defineProgram({
    names: "fpm esy",
    does: "change",
    isOpen: true,
    options:
      "--flag: --c-flag: --cxx-flag: --link-flag: --compiler: --c-compiler: --profile: --target: --example --runner:x --runner-args: --build-dir:w --prefix:=change -P:d",
    operands: "value",
    verbs: {
      "build test run list b": { does: "work", operands: "value" },
      "x exec": { does: "work", operands: "value", stopsAtOperand: true, wraps: { isOpaque: true } },
      "install update add": { does: "install", operands: "value" },
      publish: "publish",
    },
    runs: ["fpm build", "fpm test --flag '-O2'", "fpm run --example demo", "esy build"],
    asks: ["fpm publish", "fpm install", "fpm test --runner ./x", "fpm -s dir -t deb .", "esy x rm a", "esy add x"],
  }),
  defineProgram({
    names: "ghc-pkg",
    does: "change",
    options: "--user --global --simple-output --names-only -v? --package-db:c",
    operands: "value",
    verbs: { "list describe field find-module latest check dot dump": { does: "read", operands: "value" } },
    runs: ["ghc-pkg list --user"],
    asks: ["ghc-pkg unregister x"],
  }),
  defineProgram({
    names: "hoogle",
    does: "read",
    options:
      "-q --quiet --database:r --info -i --count: -n: --json --jsonl --link -l --colour --color --hide --verbose -v",
    verbs: { "generate server replay test": { does: "change", operands: "value" } },
    operands: "value",
    runs: ["hoogle --database .hoo -q 'a -> Maybe b'", "hoogle search --info map"],
    asks: ["hoogle generate", "hoogle server --port 80"],
  }),
  defineProgram({
    names: "buildozer",
    does: "edit",
    hasSingleDashLong: true,
    options:
      "-stdout -k -quiet -root_dir:d -f:r -types: -output_json -shorten_labels -buildifier:x -edit_variables -delete_with_comments -error_on_no_changes -tables:c -add_tables:c",
    operands: "value",
    runs: ["buildozer 'print deps' //app:bin", "buildozer 'add deps //a:b' //app:bin"],
    asks: [
      "buildozer -buildifier ./x 'fix' //a:b",
      "buildozer -root_dir /tmp/x 'print deps' //a:b",
      "buildozer 'delete' //a:b",
    ],
    check: ({ operands }) => (operands.some(({ text }) => /^(?:delete|remove_comment)$/.test(text)) ? "destroy" : null),
  }),
  defineProgram({
    names: "ghcup",
    does: "install",
    isOpen: true,
    operands: "value",
    verbs: { "list whereis tui-list debug-info": { does: "read", operands: "value" } },
    runs: ["ghcup list"],
    asks: ["ghcup install ghc 9.4"],
  }),
];
