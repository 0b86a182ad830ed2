import { defineProgram } from "../../define-program.ts";
import { has, valuesOf } from "../use.ts";

/** Variables of make that name programs. */
const PROGRAM_VARIABLES: ReadonlySet<string> = new Set(
  "SHELL .SHELLFLAGS MAKE MAKEFLAGS MAKEFILES CC CXX CPP LD AR AS FC RM LEX YACC INSTALL HOSTCC HOSTCXX HOSTLD PYTHON NODE GO CARGO RUSTC NPM DOCKER GIT PERL RUBY SED AWK".split(
    " ",
  ),
);
const PROGRAM_SUFFIXES: ReadonlySet<string> = new Set("CMD COMMAND SHELL EXEC RUN CC CXX WRAPPER TOOL BIN".split(" "));

/** `make SHELL=/tmp/x`, `make HOSTCC=/tmp/x`: the recipe then runs the named command, or a path outside the project. */
function setsProgram(text: string): boolean {
  const equals = text.indexOf("=");
  if (equals <= 0) return false;
  const name = text.slice(0, equals).replace(/[\s:+?!]+$/, "");
  const value = text.slice(equals + 1).trim();
  // `CC=clang-18` is a usual compiler, by its name.
  if (/^(?:CC|CXX|HOSTCC|HOSTCXX)$/.test(name) && /^(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(?:-\d+)?$/.test(value))
    return false;
  const isProgram = PROGRAM_VARIABLES.has(name) || PROGRAM_SUFFIXES.has(name.split("_").at(-1) ?? "");
  // `PREFIX=/usr/local` and `DESTDIR=/tmp/x` only matter to `make install`, which asks.
  const isPlace = /^(?:[A-Z_]*DIR|[A-Z_]*PREFIX|[A-Z_]*ROOT|O|OUT|OUTPUT|BUILD)$/i.test(name);
  return isProgram || /[`]|\$\(|\$\{/.test(value) || (!isPlace && /^(?:\/|~|\.\.)/.test(value) && !isReport(value));
}

/** `LOG=/tmp/test.log`: a file type that holds no code. */
const isReport = (path: string) => /^\/tmp\/[\w-]+\.(?:log|txt|json|xml|csv|html|out)$/.test(path);

/** Make, CMake and similar, and compilers. */
export const NATIVE = [
  defineProgram({
    names: "make gmake bmake",
    does: "work",
    options:
      "-BkinpqrRsStvwb -j? -l? -f:c -C:d -I:c -o: -W: -E:x --file:c --makefile:c --directory:d --include-dir:c --jobs? --load-average? --keep-going --dry-run --just-print --always-make --silent --quiet --question --touch --eval:x --print-data-base --no-builtin-rules --no-builtin-variables --output-sync? -O? --trace --debug? -d --warn-undefined-variables --no-print-directory --print-directory --ignore-errors --old-file: --assume-old: --new-file: --what-if: --environment-overrides -e=code --shuffle? --version",
    operands: "value",
    check: ({ operands, options }) => {
      if (operands.some(({ text }) => setsProgram(text))) return "code";
      // It prints what it would do.
      if (options.some(({ name }) => name === "-n" || name === "--dry-run" || name === "--just-print")) return null;
      if (
        operands.some(({ text }) => /^(uninstall|distclean|mrproper|destroy|teardown|purge|wipe)([-_:].*)?$/.test(text))
      )
        return "destroy";
      return operands.some(({ text }) => /^install([-_:].*)?$/.test(text)) ? "change" : null;
    },
    runs: [
      "make",
      "make -j4 test",
      "make -C build test",
      "make -s print-version",
      "make -n deploy",
      "make dev",
      "make V=1 LOG=/tmp/t.log test",
      "make CC=clang CFLAGS='-O0 -g'",
    ],
    asks: [
      "make SHELL=/tmp/x",
      "make HOSTCC=/tmp/x",
      "make CC=./clang",
      "make X='$(shell ls)'",
      "make -f /tmp/Makefile",
      "make --eval='x' all",
      "make deploy",
      "make install",
      "make -C /tmp/evil",
    ],
  }),
  defineProgram({
    names: "cmake ctest cpack meson ninja samu scons waf premake5 xmake",
    does: "work",
    isOpen: true,
    options:
      "-S:c -B:w -P:x -C:c -D: -G: -T: -A: -f:c -j: -R: -E: -V -t: --build:d --install:d --test-dir:w --target: -t: --config: --preset: --toolchain:c --parallel? --output-on-failure --verbose --fresh --clean-first --prefix:w --script:x --native-file:c --cross-file:c -O:w --output-junit:w --build-and-test:x -N",
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
      "cmake --install build --prefix ./out",
      "ctest --test-dir build --output-on-failure",
      "meson setup build",
      "meson compile -C build",
      "ninja -C build",
    ],
    asks: [
      "cmake -P /tmp/x.cmake",
      "cmake --install build",
      "cmake --install build --prefix /opt/app",
      "cmake -S . -B build --prefix /opt/app",
      "ninja -C /tmp/x",
      "cmake -E environment",
    ],
    check: (use) =>
      // Prints all variables of the environment.
      valuesOf(use, "-E").includes("environment")
        ? "secret"
        : // Without a prefix it installs into the system.
          use.options.some(({ name }) => name === "-E") || (has(use, "--install") && !has(use, "--prefix"))
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
      "gcc g++ cc c++ clang clang++ gcc-12 gcc-13 gcc-14 clang-17 clang-18 musl-gcc tcc icc nvcc emcc em++ ld ld.lld lld mold as nasm yasm gfortran gdc ldc2 dmd",
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
    runs: [
      "gcc -O2 -Wall -o build/a a.c",
      "clang -fsyntax-only a.c",
      "g++ -std=c++20 -Iinclude src/a.cpp -o /tmp/a",
      "mips-linux-gnu-as -march=mips32r2 -EL t.s -o t.o",
      "riscv64-unknown-elf-gcc-12 -T link.ld -o fw.elf a.c",
    ],
    asks: [
      "arm-none-eabi-gcc -fplugin=./x.so a.c",
      "x86_64-w64-mingw32-g++ -o ~/.bashrc a.cpp",
      "gcc -fplugin=./x.so a.c",
      "gcc @/tmp/args a.c",
      "gcc -specs=/tmp/s a.c",
      "gcc -o /home/agent/.ssh/authorized_keys a.c",
    ],
  }),
  defineProgram({
    names: "configure autogen.sh bootstrap autoreconf autoconf automake aclocal autoheader libtoolize autoupdate",
    does: "work",
    isOpen: true,
    options: "-f -i -v -s -I:r -o:w --output:w --prefix: --install --force --add-missing --copy -a -c --srcdir:c",
    operands: "value",
    runs: ["autoreconf -fi", "./configure --prefix=/usr/local --disable-shared", "./configure"],
    asks: ["autoconf -o /home/agent/.bashrc", "./configure --srcdir=/tmp/x"],
  }),
];
