import { describe, expect, it } from "vitest";
import { judge } from "../../judge.ts";
import { defaultPolicy } from "../../settings/policy.ts";
import { emptyMemory } from "./memory.ts";
import { WrittenFiles } from "./written-files.ts";

/** The decision on the last of some commands, each in a separate terminal: they share only files. */
function decideLast(...texts: string[]) {
  let files = emptyMemory.files;
  let links = emptyMemory.links;
  let last = judge("true", {}, defaultPolicy);
  for (const text of texts) {
    last = judge(text, { memory: { ...emptyMemory, files, links } }, defaultPolicy);
    ({ files, links } = last.memoryAfter);
  }
  return last;
}

const rules = (...texts: string[]) => decideLast(...texts).matches.map(({ rule }) => rule);

describe("S15 a file that the agent wrote with unknown content asks when it is run", () => {
  it.each([
    [["cat > x.sh", "bash x.sh"]],
    [["cat > x.js", "node x.js"]],
    [["some-program > x.py", "python3 x.py"]],
    [["some-program | tee x.sh", "sh ./x.sh"]],
    [["some-program > x", "chmod +x x", "./x"]],
    [["cat > a.sh", "cp a.sh b.sh", "bash b.sh"]],
    [["cat > a.sh", "mv a.sh b.sh", "bash b.sh"]],
    [["cat > a.sh", "ln -s a.sh b.sh", "bash b.sh"]],
    [["echo ls > x.sh", "some-program >> x.sh", "bash x.sh"]],
    [["echo ls >> x.sh", "bash x.sh"]],
    [["sed -i s/a/b/ x.sh", "bash x.sh"]],
    [["some-program 2> x.sh", "bash x.sh"]],
  ])("%j", (texts) => {
    expect(rules(...texts)).toContain("written-code");
  });

  it.each([
    [["bash scripts/build.sh"]],
    [["touch x.sh", "bash x.sh"]],
    [["cp scripts/build.sh b.sh", "bash b.sh"]],
    [["mv scripts/build.sh b.sh", "bash b.sh"]],
    [["cat > x.sh", "rm x.sh", "bash x.sh"]],
    [["cat > x.sh", "cp scripts/build.sh x.sh", "bash x.sh"]],
    [["cat > notes.txt", "bash scripts/build.sh"]],
  ])("%j is the project's own", (texts) => {
    expect(rules(...texts)).not.toContain("written-code");
  });

  it.each([
    [["echo 'rm -rf /' > x.sh", "bash x.sh"]],
    [["cat > x.sh <<'E'\nrm -rf /\nE", "sh x.sh"]],
    [["echo 'rm -rf \\' > x.sh", "echo / >> x.sh", "bash x.sh"]],
    [["echo 'rm -rf /' > x.sh", "echo ls >> x.sh", "bash x.sh"]],
    [["echo 'rm -rf /' > a.sh", "cp a.sh b.sh", "mv b.sh c.sh", "./c.sh"]],
    [["printf 'rm -rf /' | tee x.sh", "bash x.sh"]],
  ])("%j: known content is judged, in any terminal", (texts) => {
    expect(decideLast(...texts).decision).toBe("deny");
  });

  it("a text that is too long to keep becomes unknown", () => {
    expect(rules(`cat > x.sh <<'E'\n${"# padding\n".repeat(3_000)}E`, "bash x.sh")).toContain("written-code");
  });
});

describe("how much is remembered", () => {
  const written = (count: number) => {
    const files = new WrittenFiles({});
    for (let at = 0; at < count; at += 1) files.set(`/w/d${at % 3}/f${at}`, { taint: 0, text: "x".repeat(1_000) });
    return files.toMemory();
  };

  it("is bounded, and drops texts before it drops files", () => {
    const memory = written(600);
    const texts = Object.values(memory).filter(({ text }) => text !== null);
    expect(Object.keys(memory)).toHaveLength(600);
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.length).toBeLessThan(300);
    expect(memory["/w/d2/f599"]?.text).not.toBeNull();
  });

  it("keeps the oldest by their folders", () => {
    const memory = written(3_000);
    expect(Object.keys(memory).length).toBeLessThanOrEqual(1_000);
    expect(new WrittenFiles(memory).getByFolder("/w/d0/f0")).toMatchObject({ isFolded: true });
    expect(new WrittenFiles(memory).getByFolder("/w/d0/below/f0")).toBeUndefined();
    expect(new WrittenFiles(memory).getByFolder("/w/other/f0")).toBeUndefined();
  });

  it("keeps folders from elsewhere by the folder that holds them", () => {
    const files = new WrittenFiles({});
    for (let at = 0; at < 3_000; at += 1) files.set(`/w/lib/d${at}/`, { taint: 0, text: null, isUnpacked: true });
    const memory = files.toMemory();
    expect(Object.keys(memory).length).toBeLessThanOrEqual(1_000);
    expect(new WrittenFiles(memory).getByFolder("/w/lib/d0/x")).toMatchObject({ isUnpacked: true });
    expect(new WrittenFiles(memory).getByFolder("/w/src/x")).toBeUndefined();
  });

  it("is returned unchanged if nothing was written", () => {
    const memory = written(3);
    expect(judge("ls", { memory: { ...emptyMemory, files: memory } }, defaultPolicy).memoryAfter.files).toBe(memory);
  });
});

describe("prompts that ask a person for a secret", () => {
  it.each([
    'read -s -p "[sudo] password for me: " x',
    "read -rs x",
    'read -p "Password: " x',
    "printf '[sudo] password for me: '; read x",
    "stty -echo; read x",
    "echo hello > /dev/pts/0",
    "echo hello | tee /dev/pts/3",
    "cat notes > /dev/tty1",
  ])("%s asks", (text) => {
    expect(judge(text, {}, defaultPolicy).decision).toBe("ask");
  });

  it.each(["read -r line < notes.txt", 'read -p "Your name: " x', "echo hello > /dev/tty", "echo hello > /dev/null"])(
    "%s runs",
    (text) => {
      expect(judge(text, {}, defaultPolicy).decision).toBe("allow");
    },
  );
});
