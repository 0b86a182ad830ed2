import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactJson, redactSecrets } from "./redact-secrets.ts";

// Assembled here, so that secret scanners do not report this file.
const random = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4gH6";
const jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"].join(
  ".",
);
const pem = ["-----BEGIN OPENSSH PRIVATE KEY-----", "b3BlbnNzaC1rZXk", "-----END OPENSSH PRIVATE KEY-----"].join("\n");

describe("G2 secrets in known formats do not reach the record", () => {
  test.each([
    [`git clone https://ghp_${random}@github.com/a/b`, "git clone https://****@github.com/a/b"],
    [`gh auth login --with-token <<< ghp_${random}`, "gh auth login --with-token <<< ghp_****"],
    [`echo github_pat_${random}`, "echo github_pat_****"],
    [`echo glpat-${random}`, "echo glpat-****"],
    [`export X=xoxb-1234567890-${random}`, "export X=xoxb-****"],
    [`echo AKIA${"Q".repeat(16)}`, "echo AKIA****"],
    [`echo npm_${random}`, "echo npm_****"],
    [`echo AIza${random}`, "echo AIza****"],
    [`belay mcp blt_${random}`, "belay mcp blt_****"],
    [`sk-ant-api03-${random}`, "sk-ant-****"],
    [`echo ${jwt} | cut -d. -f1`, "echo eyJ**** | cut -d. -f1"],
    [`curl -H "Authorization: Bearer ${jwt}" x`, 'curl -H "Authorization: Bearer ****" x'],
    ["curl -H 'authorization: Basic YWRhOmh1bnRlcjI=' x", "curl -H 'authorization: Basic ****' x"],
    ["curl -H 'X-Api-Key: hunter2' x", "curl -H 'X-Api-Key: ****' x"],
    ["curl -H 'Cookie: session=abc; theme=dark' x", "curl -H 'Cookie: ****' x"],
    ["curl -u ada:hunter2 x", "curl -u ada:**** x"],
    ["curl --user 'ada:hunter2' x", "curl --user 'ada:****' x"],
    ["curl https://ada:hunt%40er2@db.test/x?y=1", "curl https://ada:****@db.test/x?y=1"],
    ["psql postgres://app:p@ss@db:5432/main", "psql postgres://app:****@db:5432/main"],
    ["curl 'https://api.test/x?access_token=hunter2&page=2'", "curl 'https://api.test/x?access_token=****&page=2'"],
    ["curl https://hooks.slack.com/services/T0/B0/hunter2", "curl https://hooks.slack.com/services/****"],
    ["DB_PASSWORD=hunter2 ./run --fast", "DB_PASSWORD=**** ./run --fast"],
    ['export API_KEY="hunter 2"; ls', "export API_KEY=****; ls"],
    ["AWS_SECRET_ACCESS_KEY='hunter2' aws s3 ls", "AWS_SECRET_ACCESS_KEY=**** aws s3 ls"],
    ['PASSWORD="never closed', "PASSWORD=****"],
    [`TOKEN='${"x".repeat(9000)}' run`, "TOKEN=**** run"],
    ["MYSQL_PWD=hunter2 mysql", "MYSQL_PWD=**** mysql"],
    ["set -x GITHUB_TOKEN hunter2", "set -x GITHUB_TOKEN ****"],
    ["aws configure set aws_secret_access_key hunter2", "aws configure set aws_secret_access_key ****"],
    ["npm config set //registry.test/:_authToken hunter2", "npm config set //registry.test/:_authToken ****"],
    ["login --password hunter2 --user ada", "login --password **** --user ada"],
    ["login --client-secret=hunter2", "login --client-secret=****"],
    ["login -password hunter2", "login -password ****"],
    ["mysql -u root -phunter2 shop", "mysql -u root -p**** shop"],
    ["sshpass -p hunter2 ssh host", "sshpass -p **** ssh host"],
    ["docker login -u ada -p hunter2 registry.test", "docker login -u ada -p **** registry.test"],
    ["redis-cli -h db -a hunter2 ping", "redis-cli -h db -a **** ping"],
    ["openssl rsa -passin pass:hunter2 -in k", "openssl rsa -passin pass:**** -in k"],
    [`echo '{"password": "hunter2", "n": 1}'`, `echo '{"password": ****, "n": 1}'`],
    ["echo 'password: hunter2' > x.yml", "echo 'password: ****' > x.yml"],
    [
      `cat > key <<E\n${pem}\nE`,
      "cat > key <<E\n-----BEGIN OPENSSH PRIVATE KEY-----****-----END OPENSSH PRIVATE KEY-----\nE",
    ],
    [`echo "-----BEGIN PRIVATE KEY-----\nMIIEv`, `echo "-----BEGIN PRIVATE KEY-----****`],
  ])("%s", (text, shown) => {
    expect(redactSecrets(text)).toBe(shown);
  });
});

describe("G2 text without secrets is unchanged", () => {
  test.each([
    "git status",
    "git commit -m 'rotate the token of the build'",
    "ls -la ~/.ssh && cd /srv/app",
    'curl -H "Authorization: Bearer $TOKEN" https://api.test/x',
    "DB_PASSWORD=$PASSWORD ./run",
    'export TOKEN="$(pass show token)"',
    "docker login --password-stdin",
    "docker run -u 1000:1000 -p 8080:80 image",
    "ssh://git@github.com/a/b.git",
    "git clone git@github.com:a/b.git",
    "mkdir -p a/b && cp -p x y",
    "python -m http.server -d out 8000",
    "grep -rn TOKEN_COUNT src",
    "sha256sum 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "npm_config_registry_of_the_team=x npm_config_nodedir=/usr pnpm i",
    "git checkout sk-fix-the-login-page-of-the-shop",
    "cd $PWD; PWD=/srv make",
    "npm run sk-build; risk-based --mask-pattern",
    "echo 12:30:45 user:group file.txt:10:5",
  ])("%s", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});

test("G2 in a value, names and flags count too", () => {
  const detail = {
    env: { API_TOKEN: "hunter2", LANG: "C" },
    command: ["mysql", "--password", "hunter2", "--host", "db"],
    nested: [{ line: `echo ghp_${random}` }],
    count: 3,
    nothing: null,
  };

  expect(redactJson(detail)).toEqual({
    env: { API_TOKEN: "****", LANG: "C" },
    command: ["mysql", "--password", "****", "--host", "db"],
    nested: [{ line: "echo ghp_****" }],
    count: 3,
    nothing: null,
  });
});

test("G2 a token is found anywhere, and redacting is idempotent", () => {
  const glue = fc.constantFrom(" ", "'", '"', "=", ":", "/", "\n", ";", "|", "(", "`", "@", ",");
  const token = fc.constantFrom(`ghp_${random}`, `blt_${random}`, `xoxb-12345-${random}`, `AKIA${"7".repeat(16)}`, jwt);
  fc.assert(
    fc.property(fc.string(), glue, token, glue, fc.string(), (before, left, secret, right, after) => {
      const shown = redactSecrets(before + left + secret + right + after);
      expect(shown).not.toContain(secret);
      expect(redactSecrets(shown)).toBe(shown);
    }),
    { numRuns: 300 },
  );
});

test("G2 redaction takes linear time for any text", () => {
  const pieces = [
    "mysql ",
    "curl ",
    "password",
    "--token-",
    "eyJ",
    "https://a:",
    "-----BEGIN PRIVATE KEY-----",
    "set -x ",
    "a",
    "'",
    "\\",
  ];
  for (const piece of pieces) {
    // A pattern with catastrophic backtracking would exceed the test's time limit.
    const text = piece.repeat(Math.ceil(65_536 / piece.length));
    expect(typeof redactSecrets(text)).toBe("string");
  }
});
