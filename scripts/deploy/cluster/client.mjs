// What people and agents do with two gateways behind Caddy. A separate process, because Node reads trusted certificates at start-up.
const [, , part, url, token] = process.argv;
const ADMIN = { email: "admin@example.com", password: "correct horse battery" };
const POLL_MS = 200;
const LONGEST_WAIT_MS = 60_000;

const session = await signIn();
await { both, one, again }[part]();

/** A question of the agent at one gateway is answered at the other. */
async function both() {
  const ways = await findWays(2);
  const [asked, answering] = ["gateway-1", "gateway-2"];
  const first = await asAgent(ways[asked], "echo it works");
  expect(JSON.stringify(first).includes("it works"), `the command did not run: ${JSON.stringify(first)}`);
  console.log("an agent runs a command");
  // The agent has a shell at that gateway now, so its calls belong there, whichever gateway they reach.
  const reply = asAgent(ways[answering], "some-unknown-program --once");
  const question = await until(async () => (await query(ways[answering], "approvals.list", { state: "pending" }))[0]);
  await mutate(ways[answering], "approvals.decide", { id: question.id, decision: "approve" });
  const outcome = JSON.stringify(await reply);
  expect(outcome.includes("127"), `the approved command did not start: ${outcome}`);
  console.log(`a question of ${asked} is answered at ${answering}, and its command starts`);
  const [terminal] = await query(ways[answering], "terminals.list", {});
  expect(terminal !== undefined, `${answering} does not list the terminal of ${asked}`);
  console.log(`the console at ${answering} lists the terminal at ${asked}`);
}

/** The other gateway goes on: the agent gets a new shell there. */
async function one() {
  const [[name, way]] = Object.entries(await findWays(1));
  const reply = await until(() => asAgent(way, "echo still works").catch(() => null));
  expect(JSON.stringify(reply).includes("still works"), JSON.stringify(reply));
  console.log(`the agent works on at ${name}`);
  const { events } = await query(way, "audit.search", { types: ["approval.answered"], limit: 5 });
  expect(events.length === 1, `the record has ${events.length} answers`);
  console.log("the record still has what the other one wrote");
}

async function again() {
  const ways = await findWays(2);
  console.log(`both are reached again: ${Object.keys(ways).join(", ")}`);
}

/** A cookie of Caddy for each gateway, by the gateway's name: it leads the requests that carry it to that one. */
async function findWays(count) {
  const ways = {};
  return until(async () => {
    const response = await fetch(`${url}/trpc/gateway.health`, { headers: { cookie: session } });
    const chosen = response.headers.getSetCookie().find((text) => text.startsWith("belay_gateway="));
    const { result } = await response.json().catch(() => ({}));
    if (chosen && result && result.data.gateways.length === count)
      ways[thisOne(result.data)] = `${session}; ${chosen.split(";")[0]}`;
    return Object.keys(ways).length === count ? ways : null;
  });
}

function thisOne({ gateways }) {
  return gateways.find(({ isThis }) => isThis).name;
}

async function asAgent(cookie, command) {
  return ask("terminals.run", { command }, { authorization: `Bearer ${token}`, cookie: wayIn(cookie) });
}

/** Only Caddy's own cookie: an agent has no session. */
function wayIn(cookie) {
  return cookie.split("; ").at(-1);
}

function mutate(cookie, procedure, input) {
  return ask(procedure, input, { cookie, origin: url });
}

async function query(cookie, procedure, input) {
  const address = `${url}/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
  return dataOf(procedure, await fetch(address, { headers: { cookie } }));
}

async function ask(procedure, input, headers) {
  const response = await fetch(`${url}/trpc/${procedure}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return dataOf(procedure, response);
}

async function dataOf(procedure, response) {
  const { result, error } = await response.json();
  if (!result) throw new Error(`${procedure}: ${error?.message ?? response.status}`);
  return result.data;
}

async function signIn() {
  const response = await until(async () => {
    const tried = await fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify(ADMIN),
    });
    return tried.ok ? tried : null;
  });
  const own = response.headers.getSetCookie().filter((text) => !text.startsWith("belay_gateway="));
  return own.map((text) => text.split(";")[0]).join("; ");
}

async function until(find) {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`it took too long: ${find}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
