import { isTemporary } from "../../../dangers/paths/danger-paths.ts";
import { HOLE, isKnown } from "../../../language/state/values.ts";
import { resolvePath } from "../../../language/words/paths.ts";
import { awkSources, readAwkScript } from "../../code/scripts/awk-script.ts";
import { readSedScript, sedSources } from "../../code/scripts/sed-script.ts";
import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";

/** `chmod +x` makes a script of the project executable; any other mode needs a person. */
function chmodEffect({ operands, options }: ProgramUse): Effect | null {
  const isPlain = options.every(({ name }) => /^(-[vcf]|--verbose|--changes|--quiet|--silent)$/.test(name));
  const isKnownFile = operands.slice(1).every(({ text, taint }) => !text.includes(HOLE) && taint === 0);
  if (isPlain && isKnownFile && /^[ugoa]*\+[rxX]+$/.test(operands[0]?.text ?? "")) return "edit";
  return options.some(({ name }) => name === "-R" || name === "--recursive") ? "destroy" : "change";
}

/** The effect of a sed script: it may run text, write files, or empty the whole file. */
function sedEffect(use: ProgramUse): Effect | null {
  const { options } = use;
  const all = sedSources(use);
  const read = all.map(({ text }) => readSedScript(text));
  if (read.some(({ runsText }) => runsText) || options.some(({ name }) => name === "-f" || name === "--file"))
    return "code";
  if (read.some(({ writes }) => writes.some((path) => !/^\/dev\/(null|stdout|stderr)$/.test(path)))) return "change";
  const isInPlace = options.some(({ does }) => does === "edit");
  // With `-n`, only lines that the script prints are kept.
  if (isInPlace && options.some(({ name }) => /^(-n|--quiet|--silent)$/.test(name))) return "destroy";
  return isInPlace && all.some(({ text }) => emptiesFile(text)) ? "destroy" : null;
}

function emptiesFile(script: string): boolean {
  return (
    /^\s*(1?,?\$?|0,\$|1,\$)\s*d\s*$/.test(script) ||
    /^\s*\/\.[*+]?\/\s*d\s*$/.test(script) ||
    /^\s*s(.)\.\*\1\1g?\s*;?\s*$/.test(script)
  );
}

/** The effect of an awk program: the first operand, or the value of `-e`. A program in a file is unseen code. */
function awkEffect(use: ProgramUse): Effect | null {
  const { options } = use;
  // Only lines that the program prints are left in each file.
  if (options.some(({ name, value }) => /^(-i|--include)$/.test(name) && value?.text === "inplace")) return "destroy";
  if (options.some(({ kind }) => kind === "config")) return "code";
  const read = awkSources(use).map(readAwkScript);
  if (read.some(({ runsCommands }) => runsCommands)) return "code";
  if (read.some(({ readsEnvironment }) => readsEnvironment)) return "secret";
  return read.some(({ writesFiles }) => writesFiles) ? "change" : null;
}

/** Whether it is a file in a folder for temporary files, or `/dev/null`. */
function isScratch(path: string): boolean {
  const resolved = path.startsWith("/") ? resolvePath(path, null) : null;
  return resolved !== null && (resolved === "/dev/null" || isTemporary(resolved));
}

/** Programs that write to their arguments. The location of the files decides the rest. */
export const FILES = [
  defineProgram({
    names: "mkdir",
    does: "edit",
    options: "-pvZ -m: --parents --verbose --mode: --context?",
    operands: "write",
    runs: ["mkdir -p src/a"],
    asks: ["mkdir ~/.ssh/x"],
  }),
  defineProgram({
    names: "touch",
    does: "edit",
    options: "-acmhf -d: -r:r -t: --date: --reference:r --time: --no-create --no-dereference",
    operands: "write",
    runs: ["touch a.txt", "touch -d yesterday f"],
    asks: ["touch ~/.bashrc"],
  }),
  defineProgram({
    names: "tee sponge",
    does: "edit",
    options: "-aip --append --ignore-interrupts --output-error?",
    operands: "write",
    runs: ["tee out.log", "tee -a /tmp/x.log"],
    asks: ["tee -a /etc/hosts"],
  }),
  defineProgram({
    names: "cp gcp",
    does: "edit",
    options:
      "-abcdfiHlLnPpRrsuvxTXZ -t:w -S: --archive --attributes-only --backup? --copy-contents --force --interactive --link --dereference --no-clobber --no-dereference --parents --preserve? --no-preserve: --recursive --reflink? --remove-destination --sparse: --strip-trailing-slashes --symbolic-link --suffix: --target-directory:w --no-target-directory --update? --verbose --one-file-system --debug",
    // Overwriting a file of the project with nothing is the same as deleting it.
    check: ({ operands }) => (operands[0]?.text === "/dev/null" ? "destroy" : null),
    runs: ["cp a b", "cp -r src /tmp/copy"],
    asks: ["cp x ~/.bashrc", "cp -t ~/.ssh x", "cp /dev/null src/app.ts", "cp .env /tmp/x"],
  }),
  defineProgram({
    names: "mv",
    does: "edit",
    options:
      "-bfinTuvZ -t:w -S: --backup? --force --interactive --no-clobber --strip-trailing-slashes --suffix: --target-directory:w --no-target-directory --update? --verbose --exchange --no-copy --debug",
    runs: ["mv a b", "mv old/x.ts new/x.ts"],
    asks: ["mv src /tmp", "mv src /dev/null", "mv ~/x ."],
  }),
  defineProgram({
    names: "ln link",
    does: "edit",
    options:
      "-bfFiLnPrsTv -t:w -S: --backup? --directory --force --interactive --logical --no-dereference --physical --relative --symbolic --suffix: --target-directory:w --no-target-directory --verbose",
    runs: ["ln -s a b", "ln -sfn ../shared current"],
    asks: ["ln -sf x ~/.bashrc", "ln -sf /dev/null package.json", "ln -s ~/.ssh s"],
  }),
  defineProgram({
    names: "install",
    does: "edit",
    options:
      "-bcCdDpsTv -g:=change -o:=change -m: -t:w -S: --mode: --target-directory:w --directory --compare --preserve-timestamps --verbose --strip --backup? --suffix: --no-target-directory --owner:=change --group:=change --strip-program:x",
    runs: ["install -m 755 build/app bin/app"],
    asks: ["install x ~/.bashrc"],
  }),
  defineProgram({
    names: "dd",
    does: "edit",
    operands: "value",
    runs: ["dd if=/dev/zero of=/tmp/test.bin bs=1M count=1"],
    asks: ["dd if=x of=/tmp/../home/agent/a.ts", "dd if=/dev/zero of=/dev/belay-none", "dd if=x of=src/app.ts"],
    check: ({ operands }) =>
      operands.every(({ text }) => {
        const [name = "", ...value] = text.split("=");
        return name === "of" ? isScratch(value.join("=")) : value.length > 0 && /^[a-z]+$/.test(name);
      })
        ? null
        : "destroy",
  }),
  defineProgram({
    names: "rm rmdir unlink shred srm trash trash-put",
    does: "edit",
    options:
      "-rRfdvizuxP -I -n: -s: --recursive --force --verbose --dir --interactive? --one-file-system --no-preserve-root --preserve-root? --parents --ignore-fail-on-non-empty --zero --remove? --iterations: --size: --random-source:r -p",
    operands: "value",
    runs: ["rm -rf dist", "rm -f /tmp/test.log"],
    asks: ["rm src/legacy.ts", "rmdir empty", "rm *.log"],
  }),
  defineProgram({
    names: "chmod",
    does: "change",
    options: "-cfvR --changes --quiet --silent --verbose --recursive --reference:r --preserve-root --no-preserve-root",
    check: chmodEffect,
    operands: "value",
    runs: ["chmod +x scripts/build.sh", "chmod u+x a"],
    asks: ["chmod 755 script.sh", "chmod -R 000 .", "chmod +x ~/x"],
  }),
  defineProgram({
    names: "csplit",
    does: "edit",
    options:
      "-b: -f:w -k -m -n: -s -q -z --suffix-format: --prefix:w --keep-files --suppress-matched --digits: --quiet --silent --elide-empty-files",
    operands: "read",
    runs: ["csplit notes.md '/^# /' '{*}'"],
    asks: ["csplit .env 1", "csplit -f ~/.config/autostart/ x 1"],
  }),
  defineProgram({
    names: "split",
    does: "edit",
    options:
      "-a: -b: -C: -d -e -l: -n: -t: -u -x -f:w -k -s -z -q --suffix-length: --bytes: --line-bytes: --numeric-suffixes? --hex-suffixes? --lines: --number: --separator: --unbuffered --verbose --additional-suffix: --elide-empty-files --filter:x --prefix:w --suffix-format: --digits: --keep-files --quiet --silent",
    operands: "value",
    runs: ["split -l 100 big.txt /tmp/part_", "split -b 1M data.bin parts/x"],
    asks: ["split --filter=./x f", "split -b 1 x ~/.config/autostart/", "split -b 1k .env /tmp/s"],
  }),
  defineProgram({
    names: "chown chgrp setfacl chattr mkfifo mknod",
    does: "change",
    isOpen: true,
    options: "-R=destroy --recursive=destroy --filter:x",
    operands: "value",
    runs: ["chown --help"],
    asks: ["chown root f", "chown -R x ."],
  }),
  defineProgram({
    names: "truncate",
    does: "destroy",
    options: "-co -s: -r:r --no-create --io-blocks --size: --reference:r",
    operands: "write",
    check: ({ operands }) =>
      operands.length > 0 && operands.every(({ text }) => isScratch(text) && isKnown(text)) ? "edit" : null,
    runs: ["truncate -s 1M /tmp/blob"],
    asks: ["truncate -s 0 /tmp/../srv/a.ts", "truncate -s 0 src/app.ts", "truncate -s 0 src/*.ts"],
  }),
  defineProgram({
    names: "sed gsed",
    does: "read",
    options:
      "-nErszu -e: -f:c -i?=edit -l: --expression: --file:c --in-place?=edit --quiet --silent --regexp-extended --separate --null-data --line-length: --posix --follow-symlinks --unbuffered --debug --sandbox --zero-terminated",
    check: sedEffect,
    operands: "value",
    runs: [
      "sed -n '1,10p' f",
      "sed -i s/a/b/ f",
      "sed -E 's/[0-9]+/N/' f",
      "sed -i '' -e 's/a/b/' f",
      "sed -i '' '/a/d' f",
    ],
    asks: [
      "sed '1e id' f",
      "sed -i '' '1e id' f",
      "sed -i '' 's/a/b/w /home/agent/.bashrc' f",
      "sed -n -i '' /home/agent/other/x f",
      "sed -i '1,$d' src/app.ts",
      "sed -i s/a/b/ ~/.bashrc",
      "sed 's/x/id/e' f",
      "sed -i~/.ssh/* s/a/b/ f",
    ],
  }),
  defineProgram({
    names: "awk gawk mawk nawk original-awk",
    does: "read",
    options:
      "-F: -v: -f:c -i:c -l:c -E:c -e: -o?w -p?w -d?w -D?=code -O -P -S -s -b -c -C -g -I -L? -M -n -N -r -t --field-separator: --assign: --file:c --include:c --load:c --exec:c --source: --dump-variables?w --profile?w --pretty-print?w --debug?=code --posix --re-interval --sandbox --lint? --bignum --optimize --traditional --characters-as-bytes --csv -W:=code",
    operands: "value",
    check: awkEffect,
    runs: ["awk '{print $1}' f", "awk -F, 'NR>1' f", "awk -v n=3 'NR==n' f"],
    asks: [
      "awk '{system(\"id\")}' f",
      "awk '{print | \"sh\"}' f",
      "awk -f script.awk f",
      "gawk -l readdir -e 1",
      "awk -i inplace 0 src/app.ts",
      "mawk -W exec x.awk",
    ],
  }),
  defineProgram({
    names: "patch",
    does: "edit",
    options:
      "-p? -i:r -d:d -N -R -s -f -t -b -l -u -c -n -E -Z -T -B: -V: -z: -D: -F: -g: -o:w -r:w -Y: --strip: --input:r --directory:d --forward --reverse --dry-run --backup --silent --quiet --force --batch --verbose --output:w --reject-file:w --fuzz: --merge? --posix --binary --suffix: --prefix: --ignore-whitespace --remove-empty-files --no-backup-if-mismatch",
    operands: "write",
    runs: ["patch -p1 --dry-run"],
    asks: ["patch -o ~/.bashrc f p"],
  }),
  defineProgram({
    names: "rsync",
    does: "edit",
    options:
      "-abcdDEgHilLmnNopPqrRstuUvWxXzA0468hkKOSyC -B: -e:x -f: -T:w -M: --rsh:x --rsync-path:x --archive --exclude: --include: --exclude-from:r --include-from:r --files-from:r --filter: --dry-run --verbose --progress --stats --human-readable --compress --checksum --recursive --links --copy-links --times --perms --owner --group --info: --out-format: --update --inplace --partial --relative --one-file-system --size-only --ignore-existing --max-size: --min-size: --bwlimit: --chmod: --mkpath --itemize-changes --list-only --no-perms --no-owner --no-group --quiet --whole-file --delete=destroy --del=destroy --delete-after=destroy --delete-before=destroy --delete-during=destroy --delete-excluded=destroy --remove-source-files=destroy --force=destroy --log-file:w --backup-dir:w --temp-dir:w --partial-dir:w --compare-dest:r --copy-dest:r --link-dest:r --password-file:r --daemon=network --port: --timeout: --contimeout:",
    check: ({ operands, does, options }) => {
      if (operands.some(({ text }) => /^[^/]*:|^rsync:/.test(text))) return "publish";
      const isRehearsal = options.some(({ name }) => name === "-n" || name === "--dry-run");
      return isRehearsal && does === "destroy" ? "read" : does;
    },
    runs: ["rsync -a --exclude node_modules ./ /tmp/copy/", "rsync -avn src/ dst/", "rsync -an --delete src/ dst/"],
    asks: ["rsync -az ./dist host:/srv", "rsync -a --delete a/ b/", "rsync -e ./x a b"],
  }),
];
