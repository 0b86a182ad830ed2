// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's own braces
import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { defaultPolicy } from "../../../settings/policy.ts";

const decide = (command: string) =>
  judge(command, { home: "/home/agent", workspace: "/home/agent/w" }, defaultPolicy).decision;

it.each([
  "n=$(grep -n 'def main' a.py | head -1 | cut -d: -f1); sed -n \"$n,$((n+9))p\" a.py",
  "sed -n \"$(awk '/^## B/{print NR; exit}' a.md),\\$p\" a.md",
  "n=$(wc -l a.py | awk '{print $1}'); head -n $((n/2)) a.py",
  'git log --oneline -9 | while read -r hash rest; do git show --stat "$hash"; done',
  "git log --oneline | head -1 | cut -d' ' -f1 | xargs git show",
  'git log -3 "$(git branch --show-current)"',
  'git diff "$(git tag --sort=-v:refname | head -1)"',
  'for c in $(git rev-list main..HEAD); do git show "$c"; done',
  'kubectl describe "$(kubectl get pods -o name | head -1)"',
  "kubectl logs $(kubectl get pods | grep web | awk '{print $1}')",
  'docker logs "$(docker compose ps -q web)"',
  "kubectl get pods --no-headers | awk '$3 != \"Running\" {print $1}' | xargs -I{} kubectl describe pod {}",
  'n=$(git rev-list --count main..HEAD); git log --oneline -"$n"',
  "kubectl get pods -o json | jq -r '.items[].metadata.name' | while read -r p; do kubectl logs \"$p\" --tail 5; done",
  "printf 'alpha\\nbeta\\n' | while read -r w; do rg -c \"$w\" docs; done",
  'r=$(git rev-parse --show-toplevel 2>/dev/null || pwd); jq . "$r/a.json" > "$r/b.json"',
])("P14 a number or a name that cannot be an option does not ask: %s", (command) => {
  expect(decide(command)).toBe("allow");
});

it.each([
  'n=$(cat n.txt); git log -"$n"',
  'git log -"$COUNT"',
  'kubectl get pods -o json | jq -r \'"-A", .items[].metadata.name\' | while read -r p; do kubectl logs "$p"; done',
  "kubectl get pods -o json | jq -r '.items[].metadata.name' | while IFS=a read -r x y; do git log \"$y\"; done",
  "git log $(grep -n x a b | cut -d: -f1)",
  "git log $(grep -n x src/* | cut -d: -f1)",
  "git log $(grep -rn x src | cut -d: -f1)",
  "git log $(grep -nA2 x a | cut -d: -f1)",
  "git log $(grep -n x a | tail -c 9 | cut -d: -f1)",
  "git log $(grep -n x a | cut -d: -f2)",
  'git log "$(git branch --show-current | cut -c2-)"',
  'x=$(git branch --show-current); git log "${x#a}"',
  'x=$(git branch --show-current); y=$(cat a); git log "$y$x"',
  'x=$(git branch --show-current); [ -f a ] && x=$(cat a); git log "$x"',
  'git branch --show-current > a; cat b >> a; git log "$(cat a)"',
  'eval "$(git branch --show-current)"',
  'cat "$(git branch --show-current)"',
  'echo a > "$(git branch --show-current)"',
  "x=$(git branch --show-current); echo $((x))",
  "printf 'a\\n--pre=b\\n' | while read -r w; do rg -c \"$w\" docs; done",
  "printf 'ax--pre=b\\nc\\n' | while IFS=x read -r v w; do rg -c \"$w\" docs; done",
  'printf \'a\\nb\\n\' | while read -r w; do rg "$w" "$w"; eval "$w"; done',
  "git log --oneline --graph | while read -r a rest; do git log $a; done",
  "git log --format='%h %b' | while read -r a rest; do git log $a; done",
  'kubectl describe "$(kubectl get secrets -o name | head -1)"',
  'r=$(git -C / rev-parse --show-toplevel); echo a > "$r/b"',
  'cd /opt; r=$(git rev-parse --show-toplevel); echo a > "$r/b"',
  // A folder that counts as a project may be a part of a larger repository.
  'cd /testbed/lib; r=$(git rev-parse --show-toplevel); echo a > "$r/b"',
  'export GIT_WORK_TREE=/; r=$(git rev-parse --show-toplevel); echo a > "$r/b"',
  'r=$(git rev-parse --show-toplevel); echo a > "$r/../b"',
])("P14 what may be an option, another file or code asks: %s", (command) => {
  expect(decide(command)).not.toBe("allow");
});
