import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

import { EngineUnreachableError } from "./driver.ts";

/** What an engine answered, cut off where it says too much. */
export interface EngineResponse {
  readonly status: number;
  readonly body: string;
}

/** The few things this product says to a Docker or Podman engine. Everything throws EngineUnreachableError alone. */
export interface EngineClient {
  /** One question with a whole answer. `path` is without the version. */
  request(method: "GET" | "POST", path: string, timeoutMs: number): Promise<EngineResponse>;
  /** Whether it is there and well. */
  ping(timeoutMs: number): Promise<boolean>;
  /** Opens an answer that has no end. */
  openStream(path: string, headersWithinMs: number, signal: AbortSignal): Promise<IncomingMessage>;
}

/** An inspection is some 10 KB; an engine that says more than this is not one. */
const maxAnswerBytes = 1_048_576;
/** The first version without a back door: up to 1.23 a start may bring mounts and privileges of its own. */
const minMinorVersion = 41;

/** Speaks HTTP to `unix:///path`, `http://host:port` or `https://host:port`, one connection per question. */
export function createEngineClient(engineUrl: string): EngineClient {
  const url = new URL(engineUrl);
  const isSocket = url.protocol === "unix:";
  const place = isSocket
    ? { socketPath: decodeURIComponent(url.pathname) }
    : { host: url.hostname.replace(/^\[|\]$/g, ""), ...(url.port && { port: Number(url.port) }) };
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const host = isSocket ? "localhost" : url.host;
  let agreed: number | null = null;

  function send(method: string, path: string, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { host, ...(method === "POST" && { "content-length": 0 }) };
      const sent = request({ ...place, method, path, headers, agent: false, signal }, resolve);
      sent.on("error", (error) => reject(unreachable(error)));
      sent.on("close", () => reject(unreachable(null)));
      sent.end();
    });
  }

  /** The newest version the engine has: old ones are given up from time to time, even by the engine that speaks 1.41 today. */
  async function version(signal: AbortSignal): Promise<string> {
    if (agreed === null) {
      const response = await send("GET", "/_ping", signal);
      await readWhole(response);
      const minor = Number(/^1\.(\d{2})$/.exec(String(response.headers["api-version"]))?.[1] ?? minMinorVersion);
      if (minor < minMinorVersion) throw new EngineUnreachableError(`The engine is too old: 1.${minor}`);
      agreed = minor;
    }
    return `/v1.${agreed}`;
  }

  return {
    async request(method, path, timeoutMs) {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await send(method, (await version(signal)) + path, signal);
      const status = response.statusCode ?? 0;
      // Also said to a version that another engine at the same place does not speak.
      if (status === 400) agreed = null;
      return { status, body: await readWhole(response) };
    },
    async ping(timeoutMs) {
      try {
        const response = await send("GET", "/_ping", AbortSignal.timeout(timeoutMs));
        await readWhole(response);
        return (response.statusCode ?? 500) < 500;
      } catch {
        return false;
      }
    },
    async openStream(path, headersWithinMs, signal) {
      const silence = new AbortController();
      const timer = setTimeout(() => silence.abort(), headersWithinMs);
      try {
        const either = AbortSignal.any([signal, silence.signal]);
        const response = await send("GET", (await version(either)) + path, either);
        if (response.statusCode === 400) agreed = null;
        return response;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function readWhole(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      // Leaving the loop closes the connection.
      if (length > maxAnswerBytes) throw new EngineUnreachableError("The engine said too much.");
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What the engine said goes no further, since it may tell of this machine; the kind of failure may. */
function unreachable(error: unknown): EngineUnreachableError {
  if (error instanceof EngineUnreachableError) return error;
  const { code, name } = (error ?? {}) as { code?: string; name?: string };
  return new EngineUnreachableError(`The engine does not answer: ${code ?? name ?? "closed"}`);
}
