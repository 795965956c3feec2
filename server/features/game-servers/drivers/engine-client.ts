import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { urlToHttpOptions } from "node:url";

import { megabytes } from "#contract/sizes.ts";
import { request as requestHttp } from "#server/platform/node-http.ts";
import { EngineUnreachableError } from "./driver.ts";

export type EngineClient = ReturnType<typeof createEngineClient>;

/** An inspection has about 10 KB, so a longer response does not come from an engine. */
const maxAnswerBytes = megabytes(1);
/** API 1.41. Older engines may accept API versions up to 1.23, in which a start can add mounts and privileges. */
const minMinorVersion = 41;

/** Header of a ping response by which the engine filter identifies itself. */
export const filterHeader = "stammtisch-engine-filter";

/**
 * Accepts `unix:///path`, `http://host:port` and `https://host:port`. Opens a connection per request. Every failure is
 * an `EngineUnreachableError`.
 */
export function createEngineClient(engineUrl: string) {
  const url = new URL(engineUrl);
  const isSocket = url.protocol === "unix:";
  const endpoint = isSocket ? { socketPath: decodeURIComponent(url.pathname) } : urlToHttpOptions(url);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const host = isSocket ? "localhost" : url.host;
  let minorVersion: number | null = null;
  let isFilter = false;

  function send(method: string, path: string, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { host, ...(method === "POST" && { "content-length": 0 }) };
      const sent = request({ ...endpoint, method, path, headers, agent: false, signal }, resolve);
      sent.on("error", (error) => reject(unreachable(error)));
      sent.on("close", () => reject(unreachable(null)));
      sent.end();
    });
  }

  /** Uses the engine's newest API version, since engines drop old ones. */
  async function version(signal: AbortSignal): Promise<string> {
    if (minorVersion === null) {
      const response = await send("GET", "/_ping", signal);
      await readWhole(response);
      const minor = Number(/^1\.(\d{2})$/.exec(String(response.headers["api-version"]))?.[1] ?? minMinorVersion);
      if (minor < minMinorVersion) throw new EngineUnreachableError(`The engine is too old: 1.${minor}`);
      minorVersion = minor;
      isFilter = response.headers[filterHeader] !== undefined;
    }
    return `/v1.${minorVersion}`;
  }

  return {
    /** Reads at most 1 MiB. `path` has no version prefix. */
    async request(method: "GET" | "POST", path: string, timeoutMs: number): Promise<{ status: number; body: string }> {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await send(method, (await version(signal)) + path, signal);
      const status = response.statusCode ?? 0;
      // An engine of another version at the same address answers 400 to an unknown API version.
      if (status === 400) minorVersion = null;
      return { status, body: await readWhole(response) };
    },
    async ping(timeoutMs: number): Promise<boolean> {
      try {
        const response = await send("GET", "/_ping", AbortSignal.timeout(timeoutMs));
        await readWhole(response);
        return (response.statusCode ?? 500) < 500;
      } catch {
        return false;
      }
    },
    /**
     * Opens an endless response, e.g. of events. Returns `null` behind the engine filter, which would refuse and log
     * the request.
     */
    async openStream(path: string, headersWithinMs: number, signal: AbortSignal): Promise<IncomingMessage | null> {
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), headersWithinMs);
      try {
        const eitherSignal = AbortSignal.any([signal, timeout.signal]);
        const prefix = await version(eitherSignal);
        if (isFilter) return null;
        const response = await send("GET", prefix + path, eitherSignal);
        if (response.statusCode === 400) minorVersion = null;
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
      // An error thrown inside the loop closes the connection.
      if (length > maxAnswerBytes) throw new EngineUnreachableError("The response is too long.");
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Keeps only the kind of an error, because the engine's own text may name paths of this machine. */
function unreachable(error: unknown): EngineUnreachableError {
  if (error instanceof EngineUnreachableError) return error;
  const { code, name } = (error ?? {}) as { code?: string; name?: string };
  return new EngineUnreachableError(`The engine does not answer: ${code ?? name ?? "closed"}`);
}
