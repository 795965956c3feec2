import { createServer } from "node:net";

/**
 * A free port below those that the system gives to outgoing connections: while a server is down, a client that tries again
 * and again would otherwise sooner or later be given the server's own port, and talk to itself. At random, so that two
 * who ask at the same time are not told the same one.
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
