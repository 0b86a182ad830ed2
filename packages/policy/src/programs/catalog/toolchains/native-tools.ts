import { defineProgram } from "../../define-program.ts";

/** Tools that go with compilers: coverage, generators, documents, firmware, hardware, provers. */
export const NATIVE_TOOLS = [
  defineProgram({
    names:
      "gcov lcov genhtml gcovr llvm-cov llvm-profdata pkg-config pkgconf bison flex yacc lex byacc re2c ragel swig doxygen bloaty dtc fdtdump iverilog vvp yosys ghdl nextpnr-ice40 icepack verible-verilog-format dafny z3 cvc5 yices-smt2 minizinc why3 frama-c cbmc boogie spin tlc2 alloy gnatmake gnatprove ponyc dub scarb cairo-compile leo nargo circom snarkjs wat2wasm wasm2wat wasm-objdump wasm-opt wasmtime wasmer wabt protoc-gen-go flatc capnp thrift avrdude-list libtool glibtool rust-objdump cargo-nm llc opt mlir-opt mlir-translate llvm-tblgen mlir-tblgen llvm-as llvm-dis llvm-link llvm-mc FileCheck lit llvm-lit klee sparse wasm-tools lazbuild tlc bitbake escript tectonic antora",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-o:w -output:w -output-file:w -output-directory:w -d:r -I:r -L:r -l: -D: -x: -c -g -s: -p: -S -m: -a: -t: -html:w -json:w -xml:w -fplugin:x -specs:x -wrapper:x -B:x -plugin:x",
    operands: "read",
    runs: [
      "lcov --capture --directory build --output-file cov.info",
      "pkg-config --cflags --libs openssl",
      "bison -d parser.y -o parser.c",
      "iverilog -o /tmp/tb tb.v",
      "z3 -smt2 a.smt2",
      "doxygen Doxyfile",
    ],
    asks: ["lcov -o ~/.bashrc"],
  }),
  defineProgram({
    names: "cobc",
    does: "work",
    hasSingleDashLong: true,
    options:
      "-x -m -c -S -C -E -b -F -g -O -O2 -Os -v -q -V -w -W -Wall -Wextra -debug -free -fixed -static -dynamic -G -j?x --job?x -o:w -t:w -T:w -I:r -L:r -l: -D: -K: -std: -conf:c -A:x -Q:x --save-temps?w",
    operands: "read",
    runs: ["cobc -x -free -o build/app src/app.cbl", "cobc -V"],
    asks: ["cobc -x -o ~/.bashrc a.cbl", "cobc -xj a.cbl", "cobc -x -A -fplugin=./x.so a.cbl", "cobc -x -j a.cbl"],
  }),
  defineProgram({
    names: "conan vcpkg",
    does: "change",
    isOpen: true,
    options: "-pr:c --profile:c -s: -o: -of:w --output-folder:w --build? -r:h --remote:h -if:w",
    operands: "value",
    verbs: {
      install: {
        does: "install",
        operands: "value",
        // This installs dependencies that the project's recipe or manifest lists.
        check: ({ name, operands }) =>
          (name === "conan" && operands.length === 1 && /^\.?(\/?[\w.-]+)*\/?$/.test(operands[0]?.text ?? "")) ||
          (name === "vcpkg" && operands.length === 0)
            ? "restore"
            : null,
      },
      "list search graph inspect version": { does: "read", operands: "value" },
      "profile config cache": {
        does: "change",
        operands: "value",
        // `conan config install` takes settings from any address.
        verbs: {
          "list show path get home check-integrity": "read",
          "install install-pkg": "network",
          clean: "destroy",
        },
      },
      "build test source lock": { does: "work", operands: "read" },
      "upload remote user": { does: "publish", operands: "value" },
      "remove download create export export-pkg new": { does: "change", operands: "value" },
    },
    runs: ["conan install . --build=missing", "conan graph info ."],
    asks: [
      "conan upload x",
      "conan install zlib/1.3@ -r evil",
      "conan cache clean",
      "conan config install https://x.example/c.git",
      "vcpkg install zlib",
    ],
  }),
  defineProgram({
    names: "coqc coqtop coqdep lake lean elan agda idris2 isabelle",
    does: "work",
    isOpen: true,
    options: "-o:w -R:r -Q:r -I:r -l:r -require:c -e:x --run:",
    verbs: {
      "build test check-build lint env print-paths": { does: "work", operands: "value" },
      "update add init new exe": { does: "change", operands: "value" },
      "toolchain default self override": { does: "install", operands: "value" },
      upload: "publish",
    },
    operands: "read",
    runs: ["lake build", "coqc -Q theories X a.v", "lean a.lean"],
    asks: ["lake update", "lean /tmp/x.lean"],
  }),
];
