import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { expectAccessible } from "./accessible.ts";
import { expect, run, signIn, test } from "./gateway.ts";

/** A page of the agent that says what it can see, and a socket like that of hot reload. */
const SERVER = `
const { createServer } = require("node:http");
const { createHash } = require("node:crypto");
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/html" });
  response.end("<title>Served</title><h1>Made by the agent</h1><p id=socket></p><script>" +
    "new WebSocket('ws://' + location.host + '/hot').onmessage = ({ data }) => { document.getElementById('socket').textContent = data; };" +
    "</script>");
});
server.on("upgrade", (request, socket) => {
  const accept = createHash("sha1").update(request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
  socket.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: " + accept + "\\r\\n\\r\\n");
  const text = Buffer.from("reloaded");
  socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
  socket.on("error", () => {});
});
server.listen(5173, "127.0.0.1");
`;

test.use({ security: { isolation: "sandbox", sandbox: { readable: [dirname(process.execPath)] } } });
test.skip(!existsSync("/usr/bin/bwrap"), "There is no /usr/bin/bwrap, so no agent can be put in a sandbox.");

test("C18 one click shows what a sandboxed server serves, apart from the console", async ({
  page,
  gateway,
  context,
}) => {
  gateway.writeFile("serve.cjs", SERVER);
  const agent = await gateway.connectAgent("builder");
  const running = run(agent, `${process.execPath} serve.cjs`).catch(() => {});
  await signIn(page, gateway);
  await page
    .getByRole("list", { name: /^Terminals/ })
    .getByRole("link")
    .first()
    .click();
  await expect(page.getByRole("list", { name: "Ports" })).toContainText("Listens on 5173");
  await expectAccessible(page);

  const opening = context.waitForEvent("page");
  await page.getByRole("button", { name: "Open port 5173" }).click();
  const served = await opening;
  await expect(served.getByRole("heading", { name: "Made by the agent" })).toBeVisible();
  await expect(served.locator("#socket")).toHaveText("reloaded");

  // Its own origin: no cookie of the console, none that scripts can read, no window of the console, no way to it.
  const { origin } = new URL(served.url());
  expect(origin).toMatch(/^http:\/\/[a-z2-7]{26}\.localhost:\d+$/);
  expect((await context.cookies(origin)).map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
    ["belay-port", true, "Strict"],
  ]);
  expect(await served.evaluate(() => [document.cookie, window.opener])).toEqual(["", null]);
  const asked = await served.evaluate(
    (url) => fetch(url, { credentials: "include" }).then(String, () => "refused"),
    `${gateway.url}/trpc/terminals.list`,
  );
  expect(asked).toBe("refused");
  await served.reload();
  await expect(served.getByRole("heading", { name: "Made by the agent" })).toBeVisible();

  // Another site that knows the address gets nowhere with the person's browser.
  const foreign = await context.newPage();
  await foreign.route("http://foreign.test/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<a href="${origin}/">there</a>` }),
  );
  await foreign.goto("http://foreign.test/");
  await foreign.getByRole("link", { name: "there" }).click();
  await expect(foreign.getByText("This page is not open in this browser")).toBeVisible();

  await page.goto(`${gateway.url}/agents`);
  await page.getByText("builder", { exact: true }).click();
  await expect(page.getByRole("list", { name: "Ports" })).toContainText("Listens on 5173");
  await agent.close();
  await running;
});

test("C18 a viewer sees the port, and cannot open it", async ({ page, gateway }) => {
  gateway.writeFile("serve.cjs", SERVER);
  const viewer = await gateway.addPerson("Vera", "viewer");
  const agent = await gateway.connectAgent("builder");
  const running = run(agent, `${process.execPath} serve.cjs`).catch(() => {});
  await signIn(page, gateway, viewer);
  await page
    .getByRole("list", { name: /^Terminals/ })
    .getByRole("link")
    .first()
    .click();

  await expect(page.getByRole("list", { name: "Ports" })).toContainText("Listens on 5173");
  await expect(page.getByRole("button", { name: "Open port 5173" })).toBeHidden();
  await agent.close();
  await running;
});
