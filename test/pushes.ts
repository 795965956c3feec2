import { expect } from "vitest";

import type { Client } from "./client.ts";
import type { FakePushService } from "./fake-push-service.ts";

/** Returns the browser and the text of each push so far. */
export function listPushes({ received }: FakePushService): (readonly [browser: string, body: unknown])[] {
  return received.map(({ browser, payload }) => [browser, payload["body"]]);
}

/** Waits for these pushes, then sends a test push to `client` and expects no other push before it. */
export async function expectPushes(
  service: FakePushService,
  client: Client,
  expected: readonly (readonly [browser: string, body: string])[],
): Promise<void> {
  const withoutTests = () => listPushes(service).filter(([, body]) => !String(body).startsWith("Prost!"));
  await expect.poll(withoutTests).toEqual(expected);
  const before = service.calls.length;
  await client.post("/api/push/test");
  await expect.poll(() => service.calls.length).toBeGreaterThan(before);
  expect(withoutTests()).toEqual(expected);
}
