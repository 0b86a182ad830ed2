import { defineProgram } from "../../define-program.ts";

/** Tools that go with compilers: coverage, generators, documents, firmware, hardware, provers. */
export const NATIVE_TOOLS = [
  defineProgram({
    names:
      "gcov lcov genhtml gcovr llvm-cov llvm-profdata llvm-objdump llvm-nm llvm-readelf llvm-dwarfdump llvm-symbolizer pkg-config pkgconf bison flex yacc lex byacc re2c ragel swig doxygen bloaty dtc fdtdump iverilog vvp yosys ghdl nextpnr-ice40 icepack verible-verilog-format dafny z3 cvc5 yices-smt2 minizinc why3 frama-c cbmc boogie spin tlc2 alloy gnatmake gnatprove cobc ponyc dub scarb cairo-compile leo nargo circom snarkjs wat2wasm wasm2wat wasm-objdump wasm-opt wasmtime wasmer wabt protoc-gen-go flatc capnp thrift avrdude-list arm-none-eabi-gcc arm-none-eabi-g++ arm-none-eabi-objdump arm-none-eabi-objcopy arm-none-eabi-size arm-none-eabi-nm arm-linux-gnueabihf-gcc aarch64-linux-gnu-gcc aarch64-linux-gnu-objdump riscv64-unknown-elf-gcc riscv64-linux-gnu-gcc avr-gcc avr-objcopy avr-size x86_64-w64-mingw32-gcc i686-linux-gnu-gcc musl-gcc libtool glibtool rust-objdump cargo-nm llc opt mlir-opt mlir-translate llvm-tblgen mlir-tblgen llvm-as llvm-dis llvm-link llvm-mc FileCheck lit llvm-lit klee sparse wasm-tools lazbuild tlc bitbake escript tectonic antora",
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
    asks: ["lcov -o ~/.bashrc", "arm-none-eabi-gcc -fplugin=./x.so a.c"],
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
