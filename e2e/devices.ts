import { test } from "./gateway.ts";

export type Device = "desk" | "phone";

export const VIEWPORTS = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const satisfies Record<Device, { width: number; height: number }>;

/** Declares tests once for a desk and once for a phone. */
export function onEachDevice(declare: (device: Device) => void): void {
  for (const device of ["desk", "phone"] as const) {
    test.describe(`on a ${device}`, () => {
      test.use({ viewport: VIEWPORTS[device], hasTouch: device === "phone" });
      declare(device);
    });
  }
}
