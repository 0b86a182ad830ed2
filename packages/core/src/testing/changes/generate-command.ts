import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { quoteWord } from "@belay/protocol";
import type { Random } from "./random.ts";

type Kind = "coreutils" | "git" | "archive" | "editor" | "generator" | "shell";

interface Scene {
  random: Random;
  /** An existing file, quoted for the shell. */
  file: () => string;
  folder: () => string;
  /** A name that probably does not exist yet. */
  fresh: () => string;
}

interface Template {
  kind: Kind;
  needs: string;
  make: (scene: Scene) => string;
}

const t = (kind: Kind, needs: string, make: (scene: Scene) => string): Template => ({ kind, needs, make });

/** Typical commands that change files. All of them stay in the current folder. */
const TEMPLATES: readonly Template[] = [
  t("coreutils", "sh", ({ file, fresh }) => `cp ${file()} ${fresh()}`),
  t("coreutils", "sh", ({ file, fresh }) => `mv ${file()} ${fresh()}`),
  t("coreutils", "sh", ({ folder, fresh }) => `mv ${folder()} ${fresh()}`),
  t("coreutils", "sh", ({ folder, fresh }) => `cp -a ${folder()} ${fresh()}`),
  t("coreutils", "sh", ({ file }) => `rm -f ${file()}`),
  t("coreutils", "sh", ({ folder }) => `rm -rf ${folder()}`),
  t("coreutils", "sh", ({ fresh }) => `mkdir -p ${fresh()}/x/y && touch ${fresh()}`),
  t("coreutils", "sh", ({ file, random }) => `chmod ${random.pick(["600", "755", "444", "4755", "u+x"])} ${file()}`),
  t("coreutils", "sh", ({ folder, random }) => `chmod ${random.pick(["700", "755", "1777"])} ${folder()}`),
  t("coreutils", "sh", ({ file, fresh }) => `ln -s ${file()} ${fresh()}`),
  t("coreutils", "sh", ({ file, fresh }) => `ln ${file()} ${fresh()}; echo more >> ${fresh()}`),
  t("coreutils", "truncate", ({ file, random }) => `truncate -s ${random.below(40)} ${file()}`),
  t("coreutils", "sh", ({ file, fresh }) => `sort ${file()} > ${fresh()}; sort -o ${file()} ${file()}`),
  t("coreutils", "sh", ({ file }) => `touch ${file()}`),
  t("coreutils", "split", ({ file }) => `split -l 2 ${file()} part-`),
  t("coreutils", "dd", ({ fresh }) => `dd if=/dev/zero of=${fresh()} bs=1k count=3 2>/dev/null`),
  t("coreutils", "sh", ({ file }) => `install -m 640 ${file()} installed`),
  t("coreutils", "sh", ({ folder }) => `find ${folder()} -type f -name '*.txt' -delete`),
  t(
    "coreutils",
    "sh",
    ({ fresh }) =>
      `find . -path ./.git -prune -o -type f -size -2 -print0 | head -z -n 3 | xargs -0 -I{} cp {} ${fresh()}`,
  ),
  t("coreutils", "sh", ({ fresh }) => `mkfifo ${fresh()} && echo x > ${fresh()}2`),
  t(
    "coreutils",
    "sh",
    ({ folder, fresh }) => `mkfifo ${folder()}/p; mv ${folder()}/p ${fresh()}; chmod 600 tools/pipe`,
  ),
  t("coreutils", "sh", ({ fresh }) => `mv tools/pipe ${fresh()}; echo in its place > tools/pipe`),
  t("editor", "sed", ({ file, random }) => `sed -i 's/${random.pick(["a", "e", "the", "$"])}/X/' ${file()}`),
  t("editor", "sed", ({ file }) => `sed -i.bak 1d ${file()}`),
  t("editor", "perl", ({ file }) => `perl -pi -e 's/(\\w+)/uc $1/e' ${file()}`),
  t("editor", "ed", ({ file }) => `printf '1i\\nnew first line\\n.\\nw\\nq\\n' | ed -s ${file()}`),
  t("editor", "vim", ({ file }) => `vim -es -u NONE -c '%s/e/E/ge' -c wq ${file()}`),
  t(
    "editor",
    "patch",
    ({ file }) =>
      `cp ${file()} p.new; echo added >> p.new; diff -u ${file()} p.new > p.diff; patch -s ${file()} p.diff`,
  ),
  t("shell", "sh", ({ file }) => `echo appended >> ${file()}`),
  t("shell", "sh", ({ file }) => `printf 'whole new\\n' > ${file()}`),
  t("shell", "sh", ({ file }) => `: > ${file()}`),
  t("shell", "sh", ({ folder }) => `for i in 1 2 3; do echo $i > ${folder()}/n$i; done`),
  t("shell", "sh", ({ file, fresh }) => `rm -f ${file()}; mkdir ${fresh()}; printf '\\377\\000\\n' > ${fresh()}.bin`),
  t("shell", "sh", ({ file }) => `f=${file()}; rm -f "$f"; mkdir -p "$f"; echo in > "$f/inner"`),
  t("shell", "sh", ({ folder }) => `d=${folder()}; rm -rf "$d"; echo file now > "$d"`),
  t("shell", "sh", ({ file }) => `f=${file()}; rm -f "$f"; ln -s elsewhere "$f"`),
  t("shell", "sh", ({ folder }) => `d=${folder()}; mv "$d" swap-tmp; mkdir "$d"; mv swap-tmp "$d/old"`),
  t("shell", "sh", () => "mkdir -p build && echo out > build/out.o && echo noise > noise.log && echo src > built-from"),
  t(
    "shell",
    "sh",
    ({ folder }) => `echo '*.tmp' >> ${folder()}/.gitignore; echo t > ${folder()}/x.tmp; echo k > ${folder()}/x.keep`,
  ),
  t("git", "git", () => "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm one"),
  t(
    "git",
    "git",
    ({ file }) =>
      `git init -q .; git add -A; git -c user.name=a -c user.email=a@b commit -qm x; echo y >> ${file()}; git checkout -q -- .`,
  ),
  t(
    "git",
    "git",
    ({ file }) =>
      `git init -q .; git add -A; git -c user.name=a -c user.email=a@b commit -qm x; rm -f ${file()}; git stash -q; git stash pop -q`,
  ),
  t(
    "git",
    "git",
    () =>
      "git init -q .; git add -A; git -c user.name=a -c user.email=a@b commit -qm x; git checkout -qb other; echo o > other.txt; git add -A; git -c user.name=a -c user.email=a@b commit -qm o; git checkout -q -",
  ),
  t(
    "git",
    "git",
    ({ fresh }) =>
      `git init -q ${fresh()}; echo nested > ${fresh()}/f; git init -q vendor/nested; echo in >> vendor/nested/f`,
  ),
  t(
    "git",
    "git",
    () => "git init -q .; git clean -fdq -e .gitignore src docs 2>/dev/null; git status --short | head -1 > status.txt",
  ),
  t("archive", "tar", ({ folder }) => `tar cf a.tar ${folder()} && mkdir -p out && tar xf a.tar -C out`),
  t("archive", "tar", ({ folder }) => `tar czf a.tgz ${folder()} && rm -rf ${folder()} && tar xzf a.tgz`),
  t("archive", "zip", ({ folder }) => `zip -qr a.zip ${folder()} && unzip -qo a.zip -d unzipped`),
  t("archive", "gzip", ({ file }) => `gzip -f -- ${file()}`),
  t("archive", "cpio", ({ folder }) => `find ${folder()} -print0 | cpio -0 -pdm copied 2>/dev/null`),
  t(
    "generator",
    "python3",
    ({ random }) =>
      `python3 -c 'import os\nfor i in range(${1 + random.below(30)}):\n  os.makedirs(f"gen/{i%4}",exist_ok=True); open(f"gen/{i%4}/f{i}.py","w").write("x="+str(i)+"\\n")'`,
  ),
  t("generator", "awk", ({ file }) => `awk '{print > ("col" (NR%3))}' ${file()}`),
  t(
    "generator",
    "node",
    ({ fresh }) =>
      `node -e 'const fs=require("fs");fs.writeFileSync(process.argv[1], JSON.stringify({a:1},null,2));fs.renameSync("src","source")' ${fresh()}`,
  ),
  t(
    "generator",
    "python3",
    ({ file }) =>
      `python3 -c 'import mmap,sys\nf=open(sys.argv[1],"r+b")\nm=mmap.mmap(f.fileno(),0) if f.seek(0,2) else None\nif m: m[0:1]=b"Z"; m.flush()\nopen("touched","w")' ${file()}`,
  ),
  t("generator", "make", () => "printf 'all: one two\\none two:\\n\\techo $@ > $@.out\\n' > Gen.mk; make -s -f Gen.mk"),
];

const available = new Map<string, boolean>();

function isAvailable(program: string): boolean {
  const known = available.get(program);
  if (known !== undefined) return known;
  const found = spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  available.set(program, found);
  return found;
}

/** One to three commands that change files in the folder. */
export function generateCommand(root: string, random: Random): string {
  const files: string[] = [];
  const folders: string[] = [];
  list(root, "", files, folders);
  const scene: Scene = {
    random,
    file: () => quoteWord(files.length === 0 ? "a.txt" : `./${random.pick(files)}`),
    folder: () => quoteWord(folders.length === 0 ? "src" : `./${random.pick(folders)}`),
    fresh: () => quoteWord(`./${random.pick(["new", "fresh file", "ö", "x.txt", "src/made"])}${random.below(100)}`),
  };
  const usable = TEMPLATES.filter(({ needs }) => isAvailable(needs));
  const count = 1 + random.below(3);
  return Array.from({ length: count }, () => random.pick(usable).make(scene)).join("\n");
}

function list(root: string, folder: string, files: string[], folders: string[]): void {
  for (const name of readdirSync(join(root, folder))) {
    // Names that are not valid UTF-8 cannot be part of a command; they are changed along with their folder.
    if (name === ".git" || name.includes("\ufffd")) continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) {
      folders.push(path);
      list(root, path, files, folders);
    } else if (stats.isFile() || stats.isSymbolicLink()) files.push(path);
  }
}
