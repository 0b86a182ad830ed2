import { isKnown } from "../../../language/state/values.ts";
import { defineProgram } from "../../define-program.ts";
import { placesIn } from "../../effects/places.ts";
import { has, valuesOf } from "../use.ts";

/** Programs that print files, or something about them. */
export const READERS = [
  defineProgram({
    names:
      "cat tac nl head tail wc cut paste column join comm cmp colordiff expand unexpand fold fmt rev tr od hexdump hd strings " +
      "basenc numfmt stat readlink realpath basename dirname pathchk md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum " +
      "md5 shasum ls dir vdir exa eza lsd tree-sitter-highlight zcat gzcat bzcat xzcat zstdcat lz4cat zgrep zegrep zfgrep bzgrep xzgrep zstdgrep zstdless zdiff zcmp " +
      "diff egrep fgrep look zipinfo zipdetails zipgrep pr col colcrt colrm",
    does: "read",
    isHarmless: true,
    runs: ["head -n 20 README.md", "diff -u a b", "ls -la src", "wc -l src/*.ts", "sha256sum dist/app.js"],
    asks: ["cat .env", "diff .env /dev/null", "head -5 ~/.aws/credentials"],
  }),
  defineProgram({
    names: "cloc tokei scc wdiff diff3 cg_annotate callgrind_annotate ms_print",
    does: "read",
    isOpen: true,
    options:
      "--write-lang-def:w --report-file:w --out:w --csv --json --md --sql:w --diff-list-file:w --categorized:w --counted:w --ignored:w --found:w --unicode --sql-append --exclude-dir: --exclude-ext: --exclude-lang: --include-lang: --include-ext: --exclude-list-file:r --list-file:r --read-lang-def:r --force-lang-def:r --config:r --extract-with:x --lang-no-ext: --match-f: --not-match-f: --match-d: --not-match-d: --fullpath --vcs: --git --by-file --quiet --hide-rate --progress-rate: --sum-reports --diff --ignore-whitespace --processes: --timeout: --diff-program:x --show-changed --merge --auto-pager=code --auto-merge --output:w -o:w --format-multi:w -f: --format: -i: -e: -s: --sort: -t: --type: -c -l -1 -2 -3 -a -m -n -w -x -y -z -A -E -T -X --by-file-by-lang --no-complexity --no-cocomo --wide --hidden --files --languages --input:r --num-format: --columns: --streaming:",
    operands: "read",
    // `cloc --vcs=git` is harmless; any other word is a command that prints file names.
    check: ({ options }) =>
      options.some(({ name, value }) => name === "--vcs" && !/^(?:git|svn|auto)$/.test(value?.text ?? ""))
        ? "code"
        : null,
    runs: [
      "cloc --vcs=git",
      "cloc src --json",
      "tokei -s lines",
      "scc --by-file src",
      "cloc --exclude-dir=node_modules,dist .",
      "diff3 -m a b c",
    ],
    asks: [
      "cloc --write-lang-def=/home/agent/.bashrc",
      "cloc --extract-with 'x' a.zip",
      "cloc --vcs 'find .'",
      "scc -o ../../x .",
      "scc --format-multi csv:/home/agent/.profile",
      "diff3 --diff-program=./x a b c",
      "diff3 --diff-prog=./x a b c",
    ],
  }),
  defineProgram({
    names: "gron jc",
    does: "read",
    options:
      "-u -v -c -m -s -k -j -p -q -r -y -d -i -n -h --ungron --values --colorize --monochrome --stream --insecure=network --json --no-sort --pretty --quiet --raw --unbuffer --yaml-out --slurp",
    operands: "read",
    // `jc ls` runs the command; `jc --ls` only parses its output. `gron` also fetches addresses.
    isOpen: true,
    check: ({ name, operands }) => {
      if (name === "jc") return operands.length === 0 ? null : "code";
      return operands.some((operand) => placesIn(operand).addresses.length > 0) ? "network" : null;
    },
    runs: ["gron package.json", "gron -u x.gron", "ls -l | jc --ls"],
    asks: ["jc dig x.example.net", "gron https://x.example.net/a.json"],
  }),
  defineProgram({
    names: "less more most pg",
    does: "read",
    isOpen: true,
    options:
      "-o:w -O:w -k:x --log-file:w --LOG-FILE:w --lesskey-file:x --lesskey-src:x -eEfFgGiIJmMnNqQrRsSuUwWXAacCdKLVz --tabs: --tag: -p: -P: -t: -T:r -b: -h: -j: -y: -x: -D: --pattern: --prompt:",
    takesNumbers: true,
    check: ({ operands }) => (operands.some(({ text }) => text.startsWith("+")) ? "code" : null),
    runs: ["less README.md", "less -R build.log"],
    asks: ["less '+!id' x", "less -k ./k x", "less -r ~/.bash_history"],
  }),
  defineProgram({
    names: "bat batcat",
    does: "read",
    isOpen: true,
    options:
      "--pager:x -A -p -P -n -u -d -l: -m: -r: -H: --language: --style: --line-range: --highlight-line: --theme: --color: --decorations: --paging: --plain --number --list-languages --list-themes --wrap: --tabs: --terminal-width: --file-name: --diff --show-all --map-syntax: --no-pager --italic-text:",
    takesNumbers: true,
    runs: ["bat -n src/app.ts", "bat -r 10:20 --plain src/app.ts"],
    asks: ["bat --pager ./x f", "bat -p .env"],
  }),
  defineProgram({
    names: "xxd",
    does: "read",
    hasSingleDashLong: true,
    options:
      "-a -autoskip -b -bits -C -capitalize -c: -cols: -E -EBCDIC -e -g: -groupsize: -h -i -include -l: -len: -n: -name: -o: -p -ps -postscript -plain -r=edit -revert=edit -R: -d -decimal -s: -seek: -u -uppercase -little-endian -offset: -v -version",
    check: ({ operands }) => (operands.length > 1 ? "edit" : null),
    runs: ["xxd -g4 -c8 -l 64 f.bin", "xxd -l 64 build/app.wasm", "xxd -p file.bin"],
    asks: ["xxd in ~/.bashrc"],
  }),
  defineProgram({
    names: "jq gojq jaq",
    does: "read",
    pairs: ["--arg", "--argjson"],
    options:
      "-cnrjaSCMeRsg0 -f:c -L:c --arg: --argjson: --slurpfile: --rawfile: --args --jsonargs --indent: --tab --raw-output --raw-output0 --join-output --ascii-output " +
      "--sort-keys --color-output --monochrome-output --compact-output --null-input --raw-input --slurp --exit-status --from-file:c --seq --stream --stream-errors --unbuffered --library-path:c --debug-dump-disasm --build-configuration",
    runs: ["jq -r '.scripts' package.json", "jq --arg v \"$VERSION\" '.x=$v' f.json", "jq -c '.[]' a.json"],
    asks: ["jq -L /tmp/m 'import \"x\" as x; .' f", "jq -n env", "jq -n --rawfile k ~/.ssh/id_rsa '$k'"],
  }),
  // On macOS `-o` names a file that is written.
  defineProgram({
    names: "base64 base32",
    does: "read",
    options: "-dDin -w: -b: -o:w=edit --decode --ignore-garbage --wrap: --break: --output:w=edit --input:r --encode",
    operands: "read",
    runs: ["base64 -d x.b64", "base64 -w0 a.png"],
    asks: ["base64 -o ~/.profile x"],
  }),
  defineProgram({
    names: "yq tomlq xq",
    does: "read",
    startsWithExpression: true,
    isOpen: true,
    options:
      "-i=edit --inplace=edit --in-place=edit -s: --split-exp:=change -o: -p: -P -r -C -M -N -e -j -y -Y -n -I: -v -V --output-format: --input-format: --from-file:c --expression: --unwrapScalar? --no-colors --colors --exit-status --prettyPrint --null-input --no-doc --indent: --front-matter: --arg: --argjson: --yaml-output --slurp --raw-output",
    verbs: { "eval e eval-all ea": { does: "read", operands: "read" }, shell_completion: "read", help: "read" },
    operands: "read",
    check: ({ operands }) =>
      // `eval` computes an expression, which can call any of the other functions.
      operands.some(({ text }) => /\b(?:load\w*|(?:str)?env\w*|system|eval)\s*\(/.test(text)) ? "secret" : null,
    runs: [
      "yq 'to_entries | .[].key' f.yaml",
      "yq eval '.key' file.yaml",
      "yq -o json file.yaml",
      "yq -r '.a.b' f.yml",
    ],
    asks: [
      "yq --split-exp .name f",
      "yq ~/.ssh/id_rsa f.yaml",
      "yq 'eval(.x)' f",
      "yq 'load(\"/home/agent/.ssh/id_rsa\")' f",
      "yq -n 'strenv(GITHUB_TOKEN)'",
    ],
  }),
  defineProgram({
    names: "sort",
    does: "read",
    options:
      "-bdfghiMnrRVcCmszu -k: -t: -S: -T:w -o:w=edit --output:w=edit --compress-program:x --key: --field-separator: --buffer-size: --temporary-directory:w --parallel: --files0-from:r " +
      "--batch-size: --sort: --check? --random-source:r --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting " +
      "--month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --merge --stable --unique --zero-terminated --debug",
    runs: ["sort -u -k2,2 f", "sort -t: -n f", "sort -o words.txt words.txt"],
    asks: ["sort -o ~/.bashrc x", "sort --compress-prog=./x f"],
  }),
  defineProgram({
    names: "uniq",
    does: "read",
    options:
      "-cdDiuz -f: -s: -w: --count --repeated --all-repeated? --group? --ignore-case --unique --zero-terminated --skip-fields: --skip-chars: --check-chars:",
    runs: ["uniq -c f"],
    asks: ["uniq a ~/.bashrc"],
  }),
  defineProgram({
    names: "iconv",
    does: "read",
    options:
      "-f: -t: -l -c -s -V -o:w=edit --usage --from-code: --to-code: --list --output:w=edit --silent --verbose --unicode-subst: --byte-subst: --widechar-subst:",
    runs: ["iconv -f UTF-8 -t ASCII input.txt"],
    asks: ["iconv -f utf8 -t utf8 --output=/home/agent/.bashrc x"],
  }),
  defineProgram({
    names: "file",
    does: "read",
    options:
      "-bCcEhiIklLnNprsSvzZ0 -m:c -f:r -F: -P: -e: -M:c --brief --mime --mime-type --mime-encoding --dereference --no-dereference --files-from:r --magic-file:c --separator: --extension --uncompress --keep-going --list --raw --special-files --apple --exclude: --checking-printout",
    check: ({ options }) => (options.some(({ name }) => name === "-C") ? "edit" : null),
    runs: ["file document.pdf", "file -b --mime-type a"],
    asks: ["file -f ~/.ssh/id_rsa"],
  }),
  defineProgram({
    names: "man info tldr whatis apropos help",
    does: "read",
    options:
      "-kfwWaKiItTZbl7dDuc -s: -S: -L: -M:c -P:x -H:x -C:c -m: -p: -r: -e: -E: -o:w -O -n: --pager:x --html?x --config-file:c --manpath:c --sections: --locale: --where --path --all --apropos --whatis --output:w --subnodes --file:r --directory:c --index-search: --platform: --language: --list --update=network -u=network",
    takesNumbers: true,
    runs: ["man ls", "man -k socket", "tldr tar"],
    asks: ["man -P ./x ls", "man -H./x ls", "info ls -o ~/.bashrc"],
  }),
  defineProgram({
    names: "xmlstarlet xml",
    does: "read",
    options:
      "-q -t -v: -m: -c: -o: -n -i: -s: -N: -T -B -I -E: --net=network -L=edit --inplace=edit -d: -u: -r: -x: -e -w -b",
    operands: "read",
    verbs: {
      "sel val el c14n fo format select validate elements": { does: "read", operands: "read" },
      "tr transform": { does: "code", operands: "read" },
      "ed edit": { does: "read", operands: "read" },
    },
    runs: ["xmlstarlet sel -t -v '//version' pom.xml", "xmlstarlet ed -L -u /a/b -v 1 pom.xml"],
    asks: ["xmlstarlet tr x.xsl a.xml", "xmlstarlet sel --net -t -v / a.xml"],
  }),
  defineProgram({
    names: "delta diff-so-fancy",
    does: "read",
    options:
      "-s -n --side-by-side --line-numbers --color-only --no-gitconfig --dark --light --width: -w: --paging: --pager:x --config:c --features: --syntax-theme:",
    operands: "read",
    runs: ["delta < a.diff", "git diff | delta --side-by-side"],
    asks: ["delta --pager ./x a b"],
  }),
  defineProgram({
    names: "perldoc pod2text pod2man pod2markdown podchecker ri modinfo",
    does: "read",
    options:
      "-f: -v: -q: -T -t -m -l -F -X -D -o: -a -i --all --interactive=code -d:w=edit -M:c -n:x -w: --no-pager -warnings -F:",
    operands: "value",
    runs: ["perldoc -T List::Util", "pod2markdown lib/Foo.pm", "ri File.delete", "modinfo out/foo.ko"],
    asks: ["perldoc -d ~/.bashrc -T x", "perldoc -n ./x a", "perldoc -M /tmp/x.pm a"],
  }),
  defineProgram({
    names:
      "html2text pdfinfo exiftool mediainfo csvstat csvlook csvcut csvgrep csvjson in2csv parquet-tools parquet-meta xsv qsv dasel hexyl glow mdcat pup htmlq ffprobe ldd otool dwarfdump",
    does: "read",
    isOpen: true,
    options: "-o:w=edit --output:w=edit -I=edit --in-place=edit -w:=edit",
    runs: ["html2text a.html"],
    asks: [],
  }),
  defineProgram({
    names: "fx jless",
    does: "read",
    isOpen: true,
    options: "-r --raw -s --slurp --yaml --toml --themes -t:",
    operands: "read",
    // Any other expression is JavaScript.
    check: ({ operands }) => (operands.slice(1).some(({ text }) => !/^[\w.[\]'"$*?-]*$/.test(text)) ? "code" : null),
    runs: ["fx package.json .dependencies", "fx a.json 'keys'", "jless a.json"],
    asks: ['fx a.json \'x => require("fs").rmSync("src")\'', "fx a.json 'process.env.X || x'"],
  }),
  defineProgram({
    names:
      "readelf objdump nm size addr2line c++filt llvm-objdump llvm-nm llvm-readelf llvm-size llvm-symbolizer llvm-cxxfilt",
    does: "read",
    isHarmless: true,
    options: "--plugin:x -e:r --exe:r",
    operands: "read",
    // A file of further options could name a plugin.
    check: ({ operands }) => (operands.some(({ text }) => text.startsWith("@")) ? "code" : null),
    runs: [
      "readelf -h build/app",
      "readelf --debug-dump=info build/app",
      "nm -D /usr/lib/x86_64-linux-gnu/libc.so.6",
      "mips-linux-gnu-objdump -d --start-address=0x400110 --stop-address=0x400180 app",
      "addr2line -e build/app 0x1234",
    ],
    asks: ["nm --plugin ./x.so a.o", "nm @args a.o", "objdump -d ~/.ssh/id_rsa"],
  }),
  defineProgram({
    names: "ldconfig",
    does: "change",
    check: ({ options }) => (options.some(({ name }) => /^(?:-p|--print-cache)$/.test(name)) ? "read" : null),
    options: "-p --print-cache -v --verbose -V --version -N -X -n -l -i -C:w -f:c -r:d -c: --format:",
    operands: "write",
    runs: ["ldconfig -p", "ldconfig --print-cache"],
    asks: ["ldconfig", "ldconfig -n /opt/lib", "ldconfig -p -f /tmp/x"],
  }),
  defineProgram({
    names:
      "echo printf test [ [[ true false : seq expr sleep usleep yes factor cal ncal tput clear tty logname hostid tsort printenv units",
    does: "read",
    isHarmless: true,
    operands: "value",
    runs: ["seq 1 10", "test -f x", "echo hi", 'test -z "$(gofmt -l .)"', "printenv HOME"],
    asks: ["echo $GITHUB_TOKEN", "printenv"],
  }),
  defineProgram({
    names: "dc",
    does: "code",
    options: "-e: -f:r --expression: --file:r -h -V",
    operands: "read",
    // A line that begins with an exclamation mark is a command for the shell.
    check: (use) => {
      const texts = valuesOf(use, "-e", "--expression");
      const isReadable = texts.length > 0 && texts.every((text) => isKnown(text) && !text.includes("!"));
      return isReadable && use.operands.length === 0 && !has(use, "-f", "--file") ? "read" : "code";
    },
    runs: ["dc -e '2 3 + p'"],
    asks: ["dc -e '!id'", "dc x.dc", "dc -f x.dc"],
  }),
  defineProgram({
    names: "mktemp",
    does: "read",
    options: "-d -u -q -t -V -p:w --directory --dry-run --quiet --suffix: --tmpdir?w",
    operands: "write",
    runs: ["mktemp -d", "mktemp /tmp/x.XXXXXX", "mktemp -t out.XXXX", "mktemp --suffix=.json"],
    asks: ["mktemp /etc/x.XXXX", "mktemp -p /etc", "mktemp ~/.config/x.XXXX"],
  }),
  defineProgram({
    names: "bc date reset",
    does: "read",
    options:
      "-s:=change --set:=change -o:w=edit --output:w=edit -d: -r: -f:r -I? -R -u -n -e -z -i: -x -p: -t -l -q -w -D: --date: --reference:r --file:r --iso-8601? --rfc-3339? --rfc-email --utc --universal --input-range: --head-count: --repeat --random-source:r --tmpdir? --suffix: --directory --dry-run --quiet --mathlib --echo --zero-terminated",
    operands: "value",
    runs: ["date +%s", "echo 1+1 | bc"],
    asks: ["date -s 2020-01-01"],
  }),
  defineProgram({
    names: "shuf",
    does: "read",
    options:
      "-e -r -z -n: -i: -o:w=edit --echo --repeat --zero-terminated --head-count: --input-range: --output:w=edit --random-source:r",
    operands: "read",
    runs: ["shuf -n1 -e a b", "shuf -n 3 words.txt"],
    asks: ["shuf --output=/home/agent/.bashrc x", "shuf ~/.netrc"],
  }),
];
