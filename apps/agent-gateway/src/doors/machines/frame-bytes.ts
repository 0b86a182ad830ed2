/** The largest WebSocket message between a gateway and a machine: a frame, and some room. */
export const MACHINE_FRAME_BYTES = 17 * 1024 * 1024;
