/** Signs in over better-auth's own routes; throws with a sentence that can be shown. */
export async function signIn(email: string, password: string): Promise<void> {
  await post("/api/auth/sign-in/email", { email, password });
}

export async function signOut(): Promise<void> {
  await post("/api/auth/sign-out", {});
}

export async function claimFirstAdmin(claim: {
  token: string;
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  await post("/api/setup", claim);
  await signIn(claim.email, claim.password);
}

async function post(path: string, body: unknown): Promise<void> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.ok) return;
  if (response.status === 429) throw new Error("Too many attempts. Wait a few seconds and try again.");
  const answer = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Error(answer.message ?? `The gateway answered ${response.status}.`);
}
