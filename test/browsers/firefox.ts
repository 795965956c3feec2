import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { firefox, requireProgram } from "../../scripts/system-programs.ts";
import type { Browser, Size } from "./browser.ts";
import { startChild } from "./child-program.ts";

/**
 * Starts a Firefox without windows and with an empty profile, controlled by WebDriver BiDi
 * (https://w3c.github.io/webdriver-bidi/).
 */
export async function openFirefox(size: Size): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const program = startChild(requireProgram(firefox), [
    "--headless",
    "--remote-debugging-port=0",
    "--profile",
    profile,
  ]);

  async function close(): Promise<void> {
    await program.stop();
    rmSync(profile, { recursive: true, force: true });
  }

  try {
    const [, address] = await program.waitForOutput(/WebDriver BiDi listening on (ws:\S+)/);
    const send = await connect(`${address}/session`);
    await send("session.new", { capabilities: {} });
    const { contexts } = await send<{ contexts: { context: string }[] }>("browsingContext.getTree", {});
    const { context } = contexts[0]!;
    await send("browsingContext.setViewport", { context, viewport: size, devicePixelRatio: 1 });

    return {
      async goto(url) {
        await send("browsingContext.navigate", { context, url, wait: "complete" });
      },
      async evaluate(run, ...args) {
        const { result, exceptionDetails } = await send<CallResult>("script.callFunction", {
          functionDeclaration: `async (args) => JSON.stringify(await (${run.toString()})(...JSON.parse(args)))`,
          arguments: [{ type: "string", value: JSON.stringify(args) }],
          target: { context },
          awaitPromise: true,
        });
        if (exceptionDetails) throw new Error(exceptionDetails.text);
        return result?.value && JSON.parse(result.value);
      },
      async performActions(actions) {
        await send("input.performActions", { context, actions });
      },
      async setFile(selector, path) {
        const locator = { type: "css", value: selector };
        const { nodes } = await send<{ nodes: unknown[] }>("browsingContext.locateNodes", { context, locator });
        await send("input.setFiles", { context, element: nodes[0], files: [path] });
      },
      async screenshot() {
        const { data } = await send<{ data: string }>("browsingContext.captureScreenshot", { context });
        return Buffer.from(data, "base64");
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface CallResult {
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/** Connects to the browser; resolves to a function that sends a command and resolves to the command's result. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
    const { id = 0, result, error, message } = JSON.parse(data) as Message;
    if (error) waiting.get(id)?.reject(new Error(`${error}: ${message}`));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  socket.addEventListener("close", () => waiting.forEach(({ reject }) => reject(new Error("Firefox has ended."))));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error(`Firefox does not listen on ${url}.`)));
  });
  let lastId = 0;
  return <Result = unknown>(method: string, params: object): Promise<Result> => {
    const answer = Promise.withResolvers<unknown>();
    lastId += 1;
    waiting.set(lastId, answer);
    socket.send(JSON.stringify({ id: lastId, method, params }));
    return answer.promise as Promise<Result>;
  };
}
