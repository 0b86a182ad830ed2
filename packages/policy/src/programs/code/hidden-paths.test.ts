import { expect, test } from "vitest";
import { judge } from "../../judge.ts";
import { defaultPolicy } from "../../settings/policy.ts";

const decisionOf = (command: string, profile: string) =>
  judge(command, { home: "/home/agent", workspace: "/home/agent/workspace", profile }, defaultPolicy).decision;

test.each([
  "python3 -c \"import base64; print(open(base64.b64decode('LmVudg==')).read())\"",
  "python3 -c \"print(open(''.join(['.e', 'nv'])).read())\"",
  "python3 -c \"print(open('vne.'[::-1]).read())\"",
  "python3 -c \"x='env'; print(open(f'.{x}').read())\"",
  "python3 -c \"print(open('%senv' % '.').read())\"",
  "python3 -c \"import glob; print([open(f).read() for f in glob.glob('.e*')])\"",
  "python3 -c \"import os; [print(open(f).read()) for f in os.listdir('.') if f.startswith('.e')]\"",
  "python3 -c \"import os; print(open(os.path.join(os.path.expanduser('~'), '.ssh', 'id_rsa')).read())\"",
  "node -e \"console.log(require('fs').readFileSync(['.e', 'nv'].join(''), 'utf8'))\"",
  "node -e \"console.log(require('fs').readFileSync(Buffer.from('LmVudg==', 'base64').toString(), 'utf8'))\"",
  'ruby -e \'puts File.read("%senv" % ".")\'',
])("P19 a secret whose name is hidden asks in every profile: %s", (command) => {
  expect([decisionOf(command, "standard"), decisionOf(command, "trusted")]).toEqual(["ask", "ask"]);
});

test.each([
  "python3 -c \"import os; [print(f, len(open(os.path.join('src', f)).read())) for f in os.listdir('src')]\"",
  "python3 -c \"from pathlib import Path; [print(p, len(p.read_text())) for p in Path('.').glob('**/*.md')]\"",
  "python3 -c \"n='users'; print(open(f'data/{n}.csv').readline())\"",
  "node -e \"const d='src'; console.log(require('fs').readFileSync(d + '/index.ts', 'utf8').length)\"",
])("P17 assembling the names of the project's own files does not ask: %s", (command) => {
  expect(decisionOf(command, "standard")).toBe("allow");
});
