import { expect, it } from "vitest";
import { judge } from "../../../judge.ts";
import { defaultPolicy } from "../../../settings/policy.ts";

const decide = (command: string) =>
  judge(command, { home: "/home/agent", workspace: "/home/agent/w" }, defaultPolicy).decision;

it.each([
  'npm view "$(jq -r .name package.json)" versions',
  'npm view "$(node -p "require(\'./package.json\').name")"',
  'v=$(jq -r .version package.json); git log "$v"..HEAD --oneline',
  'port=$(jq -r .server.port config.json); curl -s "http://localhost:$port/health"',
  "PORT=$(node -p \"require('./package.json').port\"); curl -sI http://127.0.0.1:$PORT",
])("P14 a field of the project's settings is what its name says: %s", (command) => {
  expect(decide(command)).toBe("allow");
});

it.each([
  'npm view "$(jq -r .x package.json)"',
  'npm view "$(jq -r .name data.json)"',
  'port=$(cat port.txt); curl -s "http://localhost:$port/health"',
  'port=$(jq -r .report config.json); curl -s "http://localhost:$port/health"',
  'host=$(jq -r .port config.json); curl -s "http://$host/health"',
  'port=$(jq -r .port config.json); curl -s -d @src/a.ts "http://localhost:$port/x"',
  'port=$(jq -r .port config.json); curl -s -X DELETE "http://localhost:$port/x"',
  'echo \'{"port":"80@example.com"}\' > c.json; port=$(jq -r .port c.json); curl -s "http://localhost:$port/x"',
  'PORT=$(node -p "process.env.API_KEY"); curl -s http://localhost:$PORT',
])("P14 other fields, and files that the agent wrote, are data: %s", (command) => {
  expect(decide(command)).toBe("ask");
});
