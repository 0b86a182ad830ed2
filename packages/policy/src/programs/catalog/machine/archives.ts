import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { valuesOf } from "../use.ts";

/** In the old style, `tar xzf`, the letters are the first operand. */
function tarEffect(use: ProgramUse): Effect | null {
  const { operands, options } = use;
  const first = operands[0]?.text ?? "";
  const isOldStyle = /^[A-Za-z]+$/.test(first) && options.every(({ name }) => !/^-[ctxruA]$/.test(name));
  const letters = isOldStyle ? first : options.map(({ name }) => name.slice(1)).join("");
  if (/[FIKO]/.test(isOldStyle ? first : "")) return "code";
  const long = options.map(({ name }) => name);
  // `host:file` is an archive on another machine, which it reaches with ssh.
  const archives = isOldStyle
    ? operands.slice(1, 1 + [...first].filter((letter) => "fCTXbg".includes(letter)).length).map(({ text }) => text)
    : valuesOf(use, "-f", "--file");
  if (archives.some((text) => /^[^/]+:/.test(text)) && !long.includes("--force-local")) return "network";
  // The archive says where its files go: it may overwrite any file of this user.
  const isAbsolute = letters.includes("P") || long.includes("--absolute-names");
  if (isAbsolute && (letters.includes("x") || long.includes("--extract") || long.includes("--get"))) return "destroy";
  if (letters.includes("t") || long.includes("--list") || long.includes("--compare") || long.includes("--diff"))
    return null;
  return options.some(({ does }) => does === "change" || does === "destroy") ? null : "edit";
}

export const ARCHIVES = [
  defineProgram({
    names: "tar bsdtar gtar",
    does: "read",
    options:
      "-ctxruvzjJZapkwWshmlSOHBdAiGnoER -P=change -f:w -C:w -T:r -X:r -b: -g:w -K: -N: -V: -I:x -F:x --list --extract --get --create --append --update --diff --compare --verbose --gzip --gunzip --bzip2 --xz --zstd --lzma --lzip --auto-compress --file:w --directory:w --exclude: --exclude-from:r --exclude-vcs --exclude-vcs-ignores --files-from:r --wildcards --no-wildcards --strip-components: --transform: --xform: --to-stdout --to-command:x --use-compress-program:x --checkpoint? --checkpoint-action:x --totals --keep-old-files --overwrite --no-same-owner --same-owner --no-same-permissions --preserve-permissions --sort: --mtime: --owner: --group: --numeric-owner --format: --one-file-system --dereference --hard-dereference --null --no-recursion --remove-files=destroy --delete=destroy --info-script:x --new-volume-script:x --rsh-command:x --rmt-command:x --absolute-names=change --warning: --one-top-level?w --touch --show-transformed-names --utc --full-time --occurrence? --blocking-factor: --ignore-failed-read --anchored --add-file:r --mode: --listed-incremental:w --force-local --show-defaults --test-label --usage --block-number --lzop",
    check: tarEffect,
    operands: "value",
    runs: ["tar -tzf a.tgz", "tar tvf a.tar", "tar -xzf fixtures/data.tgz -C /tmp/data", "tar czf out.tgz src"],
    asks: [
      "tar -I ./x -xf a",
      "tar xf a.tar --to-command=./x",
      "tar czf - ~/.ssh",
      "tar xf a.tar -C ~",
      "tar xPf a.tar",
      "tar -cf example.com:backup.tar src",
      "tar tf backup@example.com:a.tar",
    ],
  }),
  defineProgram({
    names: "unzip",
    does: "edit",
    options: "-ltvZzpcqonjaCfuLXKDVWMmsbBUhFTNS12 -d:w -x -P: -O: -I:",
    check: ({ options }) => (options.some(({ name }) => /^-[ltvZzpch]$/.test(name)) ? "read" : null),
    runs: ["unzip -l a.zip", "unzip -q a.zip -d /tmp/x", "unzip -p a.zip f"],
    asks: ["unzip -d ~ x"],
  }),
  defineProgram({
    names: "zip",
    does: "edit",
    options:
      "-rqjvyuf0123456789DXlTegoFAS@ -d=destroy -m=destroy -x: -i: -b:w -t: -P: -n: -s: -TT:x --unzip-command:x --recurse-paths --exclude: --include: --quiet --update --freshen --delete=destroy --move=destroy --junk-paths --symlinks --password: --encrypt --test --out:w --filesync --show-files",
    operands: "value",
    runs: ["zip -r out.zip src", "zip -qr dist.zip dist -x '*.map'"],
    asks: ["zip -TT ./x a.zip b", "zip -m a.zip src", "zip ~/.bashrc x"],
  }),
  defineProgram({
    names: "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 unlz4 pigz brotli compress uncompress",
    does: "edit",
    options:
      "-cdfhklLnNqrtvVz0123456789eSTDM -S: -b: -T: -o:w -p: -C: -F: -D:r -i -m -j -w: --stdout --to-stdout --decompress --uncompress --force --keep --list --test --quiet --verbose --best --fast --recursive --rsyncable --synchronous --suffix: --name --no-name --threads: --format: --extreme --memory: --ultra --long? --output:w --rm=destroy --output-dir-flat:w --no-progress --check --compress --single-stream --block-size: --robot --info-memory --license",
    // Without `-k` the input file is removed.
    check: ({ options, operands, does }) => {
      const names = options.map(({ name }) => name);
      if (does === "destroy") return null;
      if (names.some((name) => /^(-c|-l|-t|--stdout|--to-stdout|--list|--test)$/.test(name)) || operands.length === 0)
        return "read";
      return names.some((name) => /^(-k|--keep|-o|--output)$/.test(name)) ? "edit" : "change";
    },
    runs: ["gzip -k dist/app.js", "gunzip -c f.gz", "xz -l a.xz", "zstd -k a"],
    asks: ["zstd --rm a", "gzip ~/.bashrc"],
  }),
  defineProgram({
    names: "7z 7za 7zr 7zz",
    does: "read",
    hasSingleDashLong: true,
    isOpen: true,
    options: "-sdel=destroy -so -si -y -r -slt -bd -ba -h",
    verbs: { "l t i h b": "read", "a u rn": "edit", "x e": "edit", d: "destroy" },
    check: ({ options, does }) => {
      if (options.some(({ name }) => /^-(?:o(?:\/|~|\.\.)|spf)/.test(name))) return "change";
      return options.some(({ name }) => name === "-sdel") ? "destroy" : does;
    },
    runs: ["7z l a.7z", "7zz h -scrcSHA256 a.7z", "7z x a.7z -oout"],
    asks: ["7z a -sdel x.7z src", "7z x a -o/home/agent", "7z d a.7z b", "7z x -spf a.7z"],
  }),
  defineProgram({
    names: "ar ranlib cpio unrar rar lha arj cabextract",
    does: "edit",
    isOpen: true,
    operands: "value",
    check: ({ name, operands }) => {
      const first = operands[0]?.text ?? "";
      if (name === "ar" && /^-?[tp]v?$/.test(first)) return "read";
      return /^(l|t|v|vt|lb)$/.test(first) ? "read" : "change";
    },
    runs: ["ar t libx.a", "unrar l a.rar"],
    asks: ["unrar x a.rar ~/x"],
  }),
];
