import { VERSION } from "../version.ts";
import { procedureFor, publicProcedure, router } from "./init.ts";

export const gatewayRouter = router({
  /** Who I am; null before signing in. The console decides by it what to show. */
  me: publicProcedure.query(({ ctx }) => (ctx.caller.type === "person" ? ctx.caller.person : null)),

  about: procedureFor("viewer").query(({ ctx }) => ({
    version: VERSION,
    workspace: ctx.gateway.settings.workspace,
    url: ctx.gateway.url(),
  })),
});
