import { createServer } from "node:net";

/**
 * Returns a random free port below the range that the system gives to outgoing connections. From
 * that range, a client that keeps reconnecting to a stopped server could get the server's own port
 * and connect to itself. Random ports make it unlikely that two simultaneous callers get the same
 * port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
