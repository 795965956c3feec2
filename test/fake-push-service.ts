import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

import { createCertificates, trustTestAuthority } from "./certificates.ts";
import { endWithTest } from "./cleanup.ts";

/** A received push: what the browser would see, and what the push service learned about the sender. */
export interface ReceivedPush {
  readonly browser: string;
  readonly payload: Record<string, unknown>;
  readonly headers: IncomingMessage["headers"];
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
}

/** `hang`: never answers; `drop`: closes the connection; `endless`: answers 201 with a body that never ends. */
export type PushResponse = number | { status: number; headers: Record<string, string> } | "hang" | "drop" | "endless";

/** A browser vendor's push service together with its browsers, which decrypt the pushes. */
export interface FakePushService {
  readonly port: number;
  /** Pushes that were answered with 201, in order of arrival. */
  readonly received: ReceivedPush[];
  /** The receiving browser of every push, including those that were refused. */
  readonly calls: string[];
  /** The answers to the next calls, one per call; all later calls are answered with 201. */
  readonly responses: PushResponse[];
  /** Number of endless answers that clients are still receiving. */
  endlessAnswers: number;
  /** Returns the subscription of a new browser, as the browser's API reports it. */
  subscription(browser: string): { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } };
  close(): Promise<void>;
}

interface Keys {
  readonly ecdh: ReturnType<typeof createECDH>;
  readonly auth: Buffer;
}

export async function createFakePushService(
  certificate: "good" | "foreign" | "own" = "good",
): Promise<FakePushService> {
  const browsers = new Map<string, Keys>();
  const sockets = new Set<Socket>();
  const server = createServer(createCertificates()[certificate], (request, response) => void take(request, response));
  server.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  trustTestAuthority();

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const browser = decodeURIComponent(request.url!.slice("/push/".length));
    service.calls.push(browser);
    const answer = service.responses.shift() ?? 201;
    if (answer === "hang") return;
    if (answer === "drop") return void request.socket.destroy();
    if (answer === "endless") {
      service.endlessAnswers++;
      response.writeHead(201).on("error", () => {});
      response.on("close", () => service.endlessAnswers--);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      };
      response.on("drain", more);
      return more();
    }
    const { status, headers } = typeof answer === "number" ? { status: answer, headers: {} } : answer;
    if (status === 201) {
      service.received.push({
        browser,
        payload: JSON.parse(decrypt(Buffer.concat(chunks), browsers.get(browser)!)),
        headers: request.headers,
        claims: verifyVapid(request.headers.authorization!),
      });
    }
    response.writeHead(status, headers).end();
  }

  const service: FakePushService = {
    port,
    received: [],
    calls: [],
    responses: [],
    endlessAnswers: 0,
    subscription(browser) {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(16);
      browsers.set(browser, { ecdh, auth });
      return {
        endpoint: `https://localhost:${port}/push/${encodeURIComponent(browser)}`,
        expirationTime: null,
        keys: { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") },
      };
    },
    close: endWithTest(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }),
  };
  return service;
}

/** Decrypts a push as the browser does (RFC 8291). */
function decrypt(body: Buffer, { ecdh, auth }: Keys): string {
  const salt = body.subarray(0, 16);
  const theirKey = body.subarray(21, 21 + body.readUInt8(20));
  const sealed = body.subarray(21 + theirKey.length);
  const derive = (secret: Buffer, from: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, from, info, bytes));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), theirKey]);
  const input = derive(ecdh.computeSecret(theirKey), auth, info, 32);
  const key = derive(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(input, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
  const opened = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  if (opened.at(-1) !== 2) throw new Error("The record is not marked as the last one.");
  return opened.subarray(0, -1).toString("utf8");
}

/** Verifies the signature of the sender's token and returns its claims (RFC 8292). */
function verifyVapid(authorization: string): ReceivedPush["claims"] {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization)!;
  const [head, claims, signature] = token!.split(".");
  const point = Buffer.from(key!, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x: x!, y: y! }, format: "jwk" });
  const isTheirs = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature!, "base64url"),
  );
  if (!isTheirs) throw new Error("Somebody else signed this.");
  return JSON.parse(Buffer.from(claims!, "base64url").toString("utf8"));
}
