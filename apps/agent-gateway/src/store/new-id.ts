import { randomBytes } from "node:crypto";
import { formatId, ID_RANDOM_BYTES } from "@belay/protocol";

type IdPrefix = Parameters<typeof formatId>[0];

export function newId<Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}-${string}` {
  return formatId(prefix, randomBytes(ID_RANDOM_BYTES));
}
