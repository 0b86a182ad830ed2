import { defineProgram } from "../../define-program.ts";
import { placesIn } from "../../effects/places.ts";

/** Small read-only programs. */
export const READ_ONLY_PROGRAMS = [
  defineProgram({
    names:
      "locate plocate dircolors java_home where findstr tasklist blkid lsmem lsb_release pidof pmap zless b3sum crc32 xxhsum uuidgen pwgen cheat icdiff dwdiff interdiff lsdiff filterdiff datamash loc onefetch antiword catdoc enca uchardet chardet chardetect cchardetect zsteg checksec ROPgadget ropper one_gadget rabin2 rasm2 chktex lacheck texcount choose gcal figlet toilet cowsay fortune lstopo iw vulkaninfo fc-list fc-match fc-query otfinfo pngcheck jpeginfo webpinfo gifinfo flacinfo soxi exif ydiff jd catimg chafa viu h5ls h5dump h5stat ncdump gdalinfo ogrinfo gdalsrsinfo difft diffstat",
    does: "read",
    isOpen: true,
    options: "-o:w --output:w --outfile:w",
    operands: "read",
    runs: ["pidof node", "lsb_release -a", "b3sum dist/app", "uuidgen"],
    asks: ["b3sum ~/.ssh/id_rsa"],
  }),
  defineProgram({
    names: "sdiff",
    does: "read",
    options:
      "-ilWabBsdEtHZ -o:w=edit -I: -w: --output:w=edit --suppress-common-lines --left-column --width: --text --minimal --ignore-case --ignore-all-space --ignore-blank-lines --strip-trailing-cr --expand-tabs --diff-program:x",
    operands: "read",
    runs: ["sdiff -s a.txt b.txt"],
    asks: ["sdiff -o ~/.bashrc a b", "sdiff --diff-program=./x a b"],
  }),
  defineProgram({
    names: "pv",
    does: "read",
    options:
      "-ptearbnqcWlLfi -s: -L: -B: -i: -w: -H: -N: -d:=change --progress --timer --eta --rate --bytes --size: --rate-limit: --name: --width: --line-mode --quiet",
    operands: "read",
    runs: ["pv data.csv"],
    asks: ["pv ~/.netrc"],
  }),
  defineProgram({
    names: "chronic ifne",
    does: "read",
    options: "-v -e -n",
    operands: "value",
    stopsAtOperand: true,
    wraps: {},
    runs: ["chronic npm test"],
    asks: ["chronic rm x"],
  }),
  defineProgram({
    names: "pdftoppm pdftocairo pdfimages pdfunite pdfseparate mutool",
    does: "edit",
    isOpen: true,
    options: "-o:w",
    operands: "write",
    check: ({ name, operands, options }) => {
      if (options.some(({ name: option }) => option === "-list")) return "read";
      return name === "mutool" && !/^(info|show|pages|extract|draw|convert|clean)$/.test(operands[0]?.text ?? "")
        ? "code"
        : null;
    },
    runs: ["pdftoppm -png -r 100 /tmp/a.pdf /tmp/page", "pdfimages -list a.pdf"],
    asks: ["pdftoppm a.pdf ~/page", "mutool run x.js"],
  }),
  defineProgram({
    names: "docx2txt pdf2txt.py tesseract ocrmypdf",
    does: "edit",
    isOpen: true,
    options: "-o:w -l: --psm: --oem: -c: --tessdata-dir:c",
    operands: "write",
    runs: ["tesseract scan.png stdout", "docx2txt a.docx -"],
    asks: ["tesseract a.png ~/x"],
  }),
  defineProgram({
    names: "libreoffice soffice unoconv groff troff nroff",
    does: "edit",
    isOpen: true,
    options: "-o:w --outdir:w -q -r: --headless --convert-to: --infilter: -T: -m: -U=code --norestore --invisible",
    operands: "read",
    check: ({ options }) => (options.some(({ name }) => /^-c$|^macro/.test(name)) ? "code" : null),
    runs: [
      "libreoffice --headless --convert-to pdf a.docx",
      "soffice --headless --convert-to csv --outdir /tmp x.xlsx",
    ],
    asks: ["libreoffice --headless --convert-to pdf --outdir ~ a.docx", "groff -U x.ms"],
  }),
  defineProgram({
    names: "dos2unix unix2dos sd recode strip objcopy patchelf install_name_tool upx gifsicle",
    does: "edit",
    isOpen: true,
    options:
      "-o:w -n -i -q -k -s -p -f: --print-rpath --print-needed --print-interpreter --print-soname --set-rpath: --set-interpreter: --strip-all --strip-debug",
    operands: "write",
    check: ({ options }) =>
      options.length > 0 &&
      options.every(({ name }) => name.startsWith("--print-") || name === "-i" || name === "--info")
        ? "read"
        : null,
    runs: ["dos2unix scripts/a.sh", "strip build/app", "patchelf --print-needed build/app"],
    asks: ["dos2unix ~/.bashrc", "strip /usr/bin/ls"],
  }),
  defineProgram({
    names: "fallocate sync",
    does: "edit",
    options:
      "-l: -o: -v -x -d -n --length: --offset: -f --data --file-system -p=destroy --punch-hole=destroy -z=destroy --zero-range=destroy -c=destroy --collapse-range=destroy",
    operands: "write",
    runs: ["sync", "fallocate -l 1M /tmp/x"],
    asks: ["fallocate -l 1G ~/x", "fallocate -p -l 1M src/a.ts", "fallocate --zero-range -l 1M src/a.ts"],
  }),
  defineProgram({
    names: "gs",
    does: "edit",
    isOpen: true,
    hasSingleDashLong: true,
    options: "-o:w -sOutputFile:w -dSAFER -dBATCH -dNOPAUSE -q -sDEVICE: -r: -dNOSAFER=code -c:x -f:c",
    operands: "read",
    runs: ["gs -q -dBATCH -dNOPAUSE -sDEVICE=png16m -sOutputFile=/tmp/p.png a.pdf"],
    asks: ["gs -sOutputFile=/home/agent/.bashrc a.pdf", "gs -dNOSAFER a.ps"],
  }),
  defineProgram({
    names: "xmllint xsltproc",
    does: "read",
    options:
      "-o:w=edit --output:w=edit --xpath: --format --noout --schema:r --relaxng:r --dtdvalid:r --valid --noent --html --recover --encode: --pretty: --nowarning --huge --nonet --stringparam: --param: --c14n --shell=code --stream --path:r --noblanks --xinclude --version",
    operands: "read",
    runs: ["xmllint --noout a.xml", "xmllint --xpath '//a/b/text()' pom.xml", "xsltproc a.xsl b.xml"],
    asks: ["xmllint --output ~/.bashrc a.xml", "xmllint --shell a.xml", "xsltproc https://x.example.net/a.xsl b.xml"],
    check: ({ operands }) => (operands.some((operand) => placesIn(operand).addresses.length > 0) ? "network" : null),
  }),
  // Its language has functions and redirections that run commands and write files.
  defineProgram({
    names: "mlr",
    does: "read",
    isOpen: true,
    options: "-I=edit -n -s:c --from:r --ofmt: --load:c --mload:c --prepipe:x --prepipex:x",
    operands: "read",
    check: ({ operands }) =>
      operands.some(({ text }) => /\b(?:system|exec|tee|split\w*|case)\b.{0,100}[(>]|[>|]\s*["$]|\bENV\b/.test(text))
        ? "code"
        : null,
    runs: [
      "mlr --icsv --ojson cat a.csv",
      "mlr --csv sort -f name then head -n 5 a.csv",
      "mlr --csv filter '$x > 5' a.csv",
    ],
    asks: [
      "mlr -n put 'end{system(\"id\")}'",
      "mlr --csv put 'tee > \"x\", $*' a.csv",
      "mlr -n put 'end{print ENV[\"X\"]}'",
    ],
  }),
];
