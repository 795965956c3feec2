import { createServer as createHttpServer } from "node:http";
import { createServer, type Server, Socket } from "node:net";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { version } from "#server/version.ts";
import { endWithTest } from "#test/cleanup.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { forbiddenAddresses } from "#test/forbidden-addresses.ts";
import { ForbiddenAddressError, resolveBySystem, ssrfSafeRequest, type Resolve } from "./ssrf-safe-request.ts";

const message = { headers: { ttl: 60 }, body: Buffer.from("Prost") };
const stop = new AbortController().signal;

/** Creates a fake DNS resolver that returns the next of these lists of addresses on each call. */
function resolver(...times: readonly (readonly string[])[]): Resolve & { asked: number } {
  const resolve: Resolve & { asked: number } = Object.assign(
    async () => {
      const addresses = times[Math.min(resolve.asked++, times.length - 1)]!;
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
    { asked: 0 },
  );
  return resolve;
}

describe("an allowed push host name", () => {
  let canary: Server;
  let url: string;
  let visits: number;

  beforeEach(async () => {
    visits = 0;
    canary = createServer((socket) => {
      visits++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => void canary.listen(0, "::", resolve));
    url = `https://push.example:${(canary.address() as { port: number }).port}/`;
  });

  afterEach(() => void canary.close());

  const post = (resolve: Resolve) => ssrfSafeRequest(url, message, { resolve, allowPrivate: false, stop });

  test("a push to a host that resolves to a forbidden address opens no connection", async () => {
    for (const address of forbiddenAddresses) {
      await expect(post(resolver([address])), address).rejects.toThrow(ForbiddenAddressError);
    }
    expect(visits).toBe(0);
  });

  test("a push to a host that resolves to a public and a forbidden address opens no connection", async () => {
    await expect(post(resolver(["8.8.8.8", "127.0.0.1"]))).rejects.toThrow(ForbiddenAddressError);
    await expect(post(resolver(["::1", "2606:4700::1"]))).rejects.toThrow(ForbiddenAddressError);
    await expect(post(resolver([]))).rejects.toThrow(ForbiddenAddressError);
    expect(visits).toBe(0);
  });

  test("a push resolves the host name only once, so that its address cannot change after the check", async () => {
    const flipping = resolver(["192.0.1.1"], ["127.0.0.1"]);
    const ending = new AbortController();
    const sending = ssrfSafeRequest(url, message, { resolve: flipping, allowPrivate: false, stop: ending.signal });
    const { connect } = Socket.prototype;
    vi.spyOn(Socket.prototype, "connect").mockImplementationOnce(function (this: Socket, ...args: unknown[]) {
      setImmediate(() => ending.abort());
      return Reflect.apply(connect, this, args);
    });
    await expect(sending).rejects.not.toThrow(ForbiddenAddressError);
    expect([flipping.asked, visits]).toEqual([1, 0]);
    await expect(post(flipping)).rejects.toThrow(ForbiddenAddressError);
    expect(visits).toBe(0);
  });
});

describe("IPv6 addresses", () => {
  async function listen() {
    const userAgents: unknown[] = [];
    const server = createHttpServer(({ headers }, response) => {
      userAgents.push(headers["user-agent"]);
      response.end();
    });
    await new Promise<void>((resolve) => void server.listen(0, "::1", resolve));
    endWithTest(async () => void server.close());
    return { userAgents, port: (server.address() as { port: number }).port };
  }

  test.each<[string, string, Resolve]>([
    ["an IPv6 address", "[::1]", resolveBySystem],
    ["a host that has only an IPv6 address", "receiver.example", resolver(["::1"])],
    ["a host with an IPv4 address that does not answer", "receiver.example", resolver(["127.0.0.2", "::1"])],
  ])(
    "a request to %s reaches the server, with the program and its version as the user agent",
    async (_, host, resolve) => {
      const { userAgents, port } = await listen();
      const options = { resolve, allowPrivate: true, stop };
      expect((await ssrfSafeRequest(`http://${host}:${port}/`, message, options)).status).toBe(200);
      expect(userAgents).toEqual([`Stammtisch/${version}`]);
    },
  );

  test("a request to a forbidden IPv6 address opens no connection", async () => {
    const { userAgents, port } = await listen();
    const options = { resolve: resolveBySystem, allowPrivate: false, stop };
    const addresses = forbiddenAddresses.filter((address) => address.includes(":") && !address.includes("%"));
    for (const address of addresses)
      await expect(ssrfSafeRequest(`http://[${address}]:${port}/`, message, options), address).rejects.toThrow(
        ForbiddenAddressError,
      );
    expect(userAgents).toEqual([]);
  });

  test("a request to a public IPv6 address passes the check of addresses", async () => {
    const ending = new AbortController();
    const resolve: Resolve = async (host) => {
      expect(host).toBe("2606:4700::1");
      setImmediate(() => ending.abort());
      return resolveBySystem(host);
    };
    const options = { resolve, allowPrivate: false, stop: ending.signal };
    const sending = ssrfSafeRequest("https://[2606:4700::1]/", message, options);
    await expect(sending).rejects.not.toThrow(ForbiddenAddressError);
  });
});

describe("a malicious push service", () => {
  let service: FakePushService;
  const local = resolver(["127.0.0.1"]);
  const post = (host = "localhost") =>
    ssrfSafeRequest(`https://${host}:${service.port}/push/phone`, message, {
      resolve: local,
      allowPrivate: true,
      stop,
    });

  test.each([301, 302, 307, 308])("a push does not follow a redirect with status %i", async (status) => {
    service = await createFakePushService();
    service.responses.push({ status, headers: { location: `https://localhost:${service.port}/push/metadata` } });
    expect((await post()).status).toBe(status);
    expect(service.calls).toEqual(["phone"]);
  });

  test("a push stops reading an endless response body", async () => {
    service = await createFakePushService();
    service.responses.push("endless");
    expect((await post()).status).toBe(201);
    await expect.poll(() => service.endlessAnswers).toBe(0);
  });

  test("a push fails if the response switches to another protocol", async () => {
    service = await createFakePushService();
    service.responses.push({ status: 101, headers: { connection: "upgrade", upgrade: "websocket" } });
    await expect(post()).rejects.toThrow("closed");
  });

  test.each(["foreign", "own"] as const)(
    "a push service with an untrusted certificate (%s) gets no request",
    async (certificate) => {
      service = await createFakePushService(certificate);
      await expect(post()).rejects.toThrow(/altnames|self-signed/);
      expect(service.calls).toEqual([]);
    },
  );

  test("a push service whose certificate has another host name gets no request", async () => {
    service = await createFakePushService();
    await expect(post("push.example")).rejects.toThrow(/altnames/);
    expect(service.calls).toEqual([]);
  });

  test("a push whose host name lookup hangs can be aborted", async () => {
    service = await createFakePushService();
    const silent: Resolve = () => new Promise(() => {});
    const ending = new AbortController();
    const sending = ssrfSafeRequest("https://localhost/", message, {
      resolve: silent,
      allowPrivate: true,
      stop: ending.signal,
    });
    ending.abort();
    await expect(sending).rejects.toMatchObject({ name: "AbortError" });
  });
});
