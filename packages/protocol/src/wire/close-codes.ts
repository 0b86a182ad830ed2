/** Why the gateway closed a socket, in the range reserved for applications. */
export const CLOSE_CODES = {
  goingAway: 1001,
  badFrame: 4400,
  unauthenticated: 4401,
  authTimeout: 4408,
  /** The session, role or token behind this socket has ended. */
  revoked: 4410,
  tooSlow: 4429,
} as const;

export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
