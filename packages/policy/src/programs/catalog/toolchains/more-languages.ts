import { defineProgram } from "../../define-program.ts";

export const MORE_LANGUAGES = [
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
