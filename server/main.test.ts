import { once } from "node:events";
import { createServer } from "node:net";

import { expect, test } from "vitest";

import { explainListenError } from "./main.ts";

async function listen(host: string, port: number) {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  return server;
}

test("the error for an unavailable port or address names the variable to change, PORT or HOST", async () => {
  const taken = await listen("127.0.0.1", 0);
  const { port } = taken.address() as { port: number };
  const explain = (host: string, at: number) =>
    listen(host, at).catch((error: unknown) => (explainListenError(error, { host, port: at }) as Error).message);
  expect(await explain("127.0.0.1", port)).toBe(
    `PORT: another program is already listening on port ${port}. Stop it, or choose another one.`,
  );
  const ofAnotherMachine = "192.0.2.1";
  expect(await explain(ofAnotherMachine, 0)).toBe("HOST: this machine does not have the address 192.0.2.1.");
  const denied = Object.assign(new Error("x"), { code: "EACCES" });
  expect(explainListenError(denied, { host: "127.0.0.1", port: 80 })).toMatchObject({
    message: "PORT: this user may not listen on port 80. Choose one above 1023.",
  });
  taken.close();
});
