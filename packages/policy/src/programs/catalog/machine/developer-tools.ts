import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { has, valuesOf } from "../use.ts";

/** Debugger commands that inspect, step and stop. With a bracket they would call a function of the program. */
const LOOKS =
  /^(?:bt|backtrace|where|info|i|list|l|disas\w*|disassemble|frame|f|thread|t|up|down|run|r|start|continue|c|next|n|step|s|stepi|nexti|finish|until|break|b|tbreak|breakpoint|watch|delete|quit|q|kill|set (?:pagination|confirm|print|width|height|disassembly-flavor|style) |ptype|whatis|p|print|x|display|process (?:launch|continue)|image|register|memory read|target|settings show|help|echo)\b[^()`|!]*$/;

/** In batch mode with commands that only inspect, it runs the project's own program. Otherwise it waits for input. */
function debuggerEffect(use: ProgramUse): Effect {
  if (has(use, "-v", "--version", "-version")) return "read";
  const commands = valuesOf(use, "-ex", "--ex", "-iex", "--eval-command", "-o", "--one-line", "-O");
  const isBatch = has(use, "-batch", "--batch", "-b", "-batch-silent");
  return isBatch && commands.length > 0 && commands.every((text) => LOOKS.test(text.trim())) ? "work" : "code";
}

/** Debuggers, terminal multiplexers and other developer tools. */
export const DEVELOPER_TOOLS = [
  defineProgram({
    names: "ctags universal-ctags exuberant-ctags etags",
    does: "edit",
    isOpen: true,
    options:
      "-R -a -e -n -x -f:w -o:w -L:r --options:x --recurse? --languages: --exclude: --fields: --extras: --output-format: --langmap: --kinds: --tag-relative? --sort? --list-languages --list-kinds?",
    operands: "read",
    runs: ["ctags -R .", "ctags -R --languages=python --exclude=.venv -f tags src"],
    asks: ["ctags -f ~/.bashrc -R .", "ctags --options=./x -R ."],
  }),
  defineProgram({
    names: "jsonnet jsonnetfmt jsonnet-lint",
    does: "read",
    options:
      "-S -y -i=edit -e=code --exec=code -o:w=edit -m:w=edit --output-file:w=edit --multi:w=edit -c --create-output-dirs -J:c --jpath:c -V: -A: --ext-str: --ext-str-file:r --ext-code:=code --ext-code-file:r --tla-str: --tla-code:=code --tla-str-file:r --tla-code-file:r --string --yaml-stream --in-place=edit --test -n:",
    operands: "read",
    runs: ["jsonnet main.jsonnet", "jsonnet -o out.json main.jsonnet", "jsonnetfmt --test a.libsonnet"],
    asks: ["jsonnet -o ~/.bashrc x.jsonnet", "jsonnet -e '1'", "jsonnet -J /tmp/lib x.jsonnet"],
  }),
  defineProgram({
    names: "gdb rust-gdb gdb-multiarch lldb rust-lldb",
    does: "code",
    // Words after the program are its own arguments.
    ownWords: (args) => {
      const at = args.findIndex(({ text }) => /^--?args$|^--$/.test(text));
      return at < 0 ? args : args.slice(0, at + 2);
    },
    hasSingleDashLong: true,
    options:
      "-batch -batch-silent -q -quiet -silent -nx -nh -n -b -ex: --ex: -iex:x -eval-command: --eval-command: -x:c=code -command:c=code -ix:c=code -s:c=code --source:c=code -o: --one-line: -O: -p:=code -pid:=code -args -return-child-result -nw -cd:d -d:r -directory:r -c:r -core:r -e:r -exec:r -tty: -version --version -v -f:r -a: -arch: -w: --batch --core:r --args -X --no-lldbinit",
    operands: "read",
    // `gdb --args git push`: the program may be any.
    wraps: { skip: 99, rest: ["--args", "-args", "--"], isOpaque: true, knownOnly: true },
    check: debuggerEffect,
    runs: [
      "gdb -batch -ex run -ex bt ./build/app",
      "gdb -batch -ex run --args ./build/app --config test.toml",
      "gdb --batch -ex 'info functions' build/app",
      "lldb -b -o run -o bt build/app",
    ],
    asks: [
      "gdb ./x",
      "gdb -batch -ex run --args git push",
      "lldb -b -o run -- npm publish",
      "gdb -batch -ex 'shell id' x",
      "gdb -batch -ex '!id' x",
      "gdb -batch -ex 'p system(\"id\")' x",
      "gdb -batch -ex 'python import os' x",
      "gdb -p 1",
      "gdb -batch -x /tmp/x x",
      "lldb -b -o 'platform shell id' x",
    ],
  }),
  defineProgram({
    names: "ghci groovysh jshell utop pry psysh rdbg byebug",
    does: "code",
    isOpen: true,
    operands: "value",
    runs: ["ghci --version", "jshell --help"],
    asks: ["ghci", "ghci -e main Main.hs", "jshell script.jsh", "pry"],
  }),
  defineProgram({
    names: "tmux",
    does: "code",
    isOpen: true,
    options: "-L: -S: -f:c -V",
    verbs: {
      "ls list-sessions list-windows lsw list-panes lsp list-clients list-buffers list-commands list-keys has-session has show-options show-messages info display-message":
        { does: "read", operands: "value", options: "-t: -F: -p -a -e -J -S: -E: -s -g" },
      "kill-session kill-server kill-window kill-pane": { does: "destroy", operands: "value" },
      // What other terminals show, what was copied there, and the variables that they start with.
      "capture-pane capturep show-buffer showb save-buffer saveb pipe-pane pipep show-environment showenv": {
        does: "secret",
        operands: "value",
        isOpen: true,
      },
    },
    operands: "value",
    check: (use) => {
      if (use.verb !== "" || use.operands.length > 0) return null;
      return has(use, "-V") ? "read" : "code";
    },
    runs: ["tmux -V", "tmux ls", "tmux list-panes -a"],
    asks: ["tmux new -d 'id'", "tmux send-keys -t 0 id Enter", "tmux kill-server", "tmux", "tmux capture-pane -p -t 1"],
  }),
  defineProgram({
    names: "screen",
    does: "code",
    options: "-ls=read -list=read -v=read -S: -d -m -r? -x -X=destroy -c:c -s:x -L -t:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { isOpaque: true, exceptWith: ["-X", "-r", "-x"] },
    check: (use) =>
      use.operands.length === 0 && use.options.length > 0 && use.options.every(({ does }) => does === "read")
        ? "read"
        : null,
    runs: ["screen -ls"],
    asks: ["screen -dm id", "screen -S x -X quit", "screen"],
  }),
  defineProgram({
    names: "ollama lms",
    does: "network",
    isOpen: true,
    verbs: {
      "list ls ps show": { does: "read", operands: "value" },
      "pull run create cp serve": { does: "install", operands: "value" },
      push: { does: "publish", operands: "value" },
      "rm stop": { does: "destroy", operands: "value" },
    },
    operands: "value",
    runs: ["ollama list", "ollama ps"],
    asks: ["ollama pull x", "ollama push x", "ollama rm x"],
  }),
  defineProgram({
    names: "identify route arp getfacl lsattr namei getcap chronyc-tracking",
    does: "read",
    options: "-n -e -v -a -A -i: -l -R -d -p -verbose -format: -ping -r -c -t -m -x -E -L -P",
    check: (use) => {
      if (use.name === "arp" && use.options.some(({ name }) => name === "-d" || name === "-s")) return "change";
      // `route -n get HOST` asks how packets would go.
      if (use.name === "route" && use.operands[0]?.text === "get") return null;
      return (use.name === "route" || use.name === "arp") && use.operands.length > 1 ? "change" : null;
    },
    runs: ["identify in.png", "route -n", "arp -a", "getfacl src"],
    asks: ["route add default gw 10.0.0.1", "arp -d 10.0.0.1"],
  }),
  defineProgram({
    names: "gnuplot wkhtmltopdf wkhtmltoimage",
    does: "work",
    options:
      "-p -persist -c:c -e:x -q --quiet --enable-local-file-access --page-size: --orientation: -d: -s: -O: --margin-top:",
    operands: "write",
    check: ({ operands }) => (operands.some(({ text }) => /^[a-z]+:\/\//i.test(text)) ? "network" : null),
    runs: ["gnuplot plot.gp", "wkhtmltopdf a.html a.pdf"],
    asks: ["gnuplot -e 'system(\"id\")'", "wkhtmltopdf https://example.com a.pdf", "wkhtmltopdf a.html ~/.bashrc"],
  }),
  defineProgram({
    names: "http.server SimpleHTTPServer",
    does: "work",
    options: "-d:r --directory:r -b: --bind: -p: --protocol: --cgi=code",
    operands: "value",
    runs: ["python3 -m http.server 8000", "python3 -m http.server --directory dist"],
    asks: ["python3 -m http.server --directory ~", "python3 -m http.server -d / 8000", "python3 -m http.server --cgi"],
  }),
  defineProgram({
    names: "apply_patch applypatch",
    does: "edit",
    operands: "value",
    runs: ["apply_patch <<< '*** Update File: src/a.ts'"],
    asks: ["apply_patch <<< '*** Update File: /home/agent/.bashrc'", "apply_patch <<< '*** Delete File: src/a.ts'"],
  }),
  defineProgram({
    names: "keyring keytool supabase-secrets",
    does: "secret",
    isOpen: true,
    operands: "value",
    runs: ["keytool --help"],
    asks: ["keyring get a b", "keytool -list -rfc -keystore x"],
  }),
];
