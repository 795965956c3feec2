import { type AddressInfo, connect, createServer } from "node:net";

import { random } from "./random.ts";

/**
 * A proxy that drops answers: the server has processed the request, but the client receives
 * nothing.
 */
export interface DroppingProxy extends AsyncDisposable {
  readonly port: number;
  /** Number of dropped answers. */
  readonly dropped: number;
}

/**
 * Forwards connections to `port`. Closes a random `share` of them (0 to 1) when the answer arrives;
 * each connection carries one request.
 */
export async function createDroppingProxy(port: number, share: number): Promise<DroppingProxy> {
  let dropped = 0;
  const proxy = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    const isDropping = random() < share;
    client.pipe(server);
    client.on("error", () => server.destroy());
    server.on("error", () => client.destroy());
    server.on("close", () => client.end());
    server.on("data", (chunk) => {
      if (!isDropping) return void client.write(chunk);
      dropped += 1;
      server.removeAllListeners("data");
      client.destroy();
      server.destroy();
    });
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    get dropped() {
      return dropped;
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => void proxy.close(resolve));
    },
  };
}
