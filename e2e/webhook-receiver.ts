import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "./gateway.ts";

/** Lets the gateway of these tests send webhooks to a server on this machine, which listens for as long as the gateway runs. */
export function useWebhookReceiver(receiver: Server): void {
  test.use({
    gatewayEnv: async ({ gatewayEnv }, use) => {
      receiver.listen(0, "127.0.0.1");
      await once(receiver, "listening");
      await use({
        ...gatewayEnv,
        BELAY_WEBHOOK_INTERNAL_HOSTS: `127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      });
      receiver.close();
    },
  });
}
