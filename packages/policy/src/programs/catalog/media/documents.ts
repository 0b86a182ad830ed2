import { defineProgram } from "../../define-program.ts";

/** Text and drawings. */
export const DOCUMENTS = [
  defineProgram({
    names:
      "quarto latexmk pdflatex xelatex lualatex tex latex bibtex biber pandoc dot neato fdp sfdp circo twopi plantuml mmdc asciidoctor typst zola d2 optipng pngquant jpegoptim cwebp inkscape sox qpdf ps2pdf rsvg-convert drawio",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-o:w -output:w -out:w --output:w -output-directory:w -outdir:w -auxdir:w -i:r -T: -f: -t: -s -pdf -xelatex -shell-escape=code --shell-escape=code -enable-write18=code -e:x -latex:x -pdflatex:x --filter:x -F:x --lua-filter:x -L:x --template:c --defaults:c -d:c --pdf-engine:x --extract-media:w -r:c --require:c -y -n -c -C",
    operands: "write",
    verbs: {
      "serve server build watch new test": { does: "work", operands: "value" },
      compile: { does: "work", operands: "write" },
      "deploy publish": "publish",
    },
    // An operand that begins with a backslash is text of TeX, and not a file.
    check: ({ operands }) => (operands.some(({ text }) => /^[&\\]/.test(text)) ? "code" : null),
    runs: ["latexmk -pdf paper.tex", "pandoc README.md -o /tmp/readme.html", "dot -Tpng graph.dot -o graph.png"],
    asks: [
      "pdflatex -shell-escape a.tex",
      "lualatex '\\\\directlua{x}'",
      "pandoc --filter ./x a.md",
      "quarto publish gh-pages",
      "dot -o ~/.bashrc x",
      "dot -Tsvg -o/home/agent/.bashrc x.dot",
      "pdflatex --shell-esc a.tex",
      "typst compile a.typ ~/.bashrc",
      "asciidoctor -r /tmp/x a.adoc",
    ],
  }),
  // The last operand, or a name derived from the first, is written.
  defineProgram({
    names: "pdftotext pdftohtml pdftops pdfdetach",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options: "-o:w -f: -l: -r: -x: -y: -W: -H: -layout -raw -nopgbrk -enc: -png -jpeg -upw: -opw:",
    operands: "write",
    runs: ["pdftotext a.pdf -", "pdftotext -layout docs/a.pdf out.txt"],
    asks: ["pdftotext a.pdf ~/.bashrc", "pdfdetach -o ~/.profile a.pdf"],
  }),
  defineProgram({
    names: "hugo jekyll mdbook",
    does: "work",
    isOpen: true,
    options:
      "-d:w --destination:w --dest-dir:w -s:d --source:d -c:c --config:c --configDir:c --contentDir:r --layoutDir:c --themesDir:c -t: --theme: --plugins:c --cacheDir:w -b: --baseURL: --baseurl: -D --buildDrafts --drafts --minify --gc --quiet -q --verbose -p: --port: --bind: --host: -H: --open -o --watch -w --incremental",
    operands: "folder",
    verbs: {
      "build serve server watch test check clean doctor config list env version": { does: "work", operands: "folder" },
      "new init": { does: "edit", operands: "write" },
      mod: { does: "install", operands: "value", verbs: { "graph verify": "read" } },
      "deploy publish": "publish",
    },
    runs: ["mdbook build", "hugo --minify -d /tmp/site", "jekyll build -d /tmp/site"],
    asks: ["hugo deploy", "hugo -d ~/.config", "hugo --themesDir /tmp/x", "mdbook build /tmp/x"],
  }),
];
