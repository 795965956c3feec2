import { vi } from "vitest";

import { freePort } from "#test/free-port.ts";
import { miniBrowser, requireProgram, webKitDriver, xvfb } from "../../scripts/system-programs.ts";
import type { Browser, Size } from "./browser.ts";
import { startChild, type ChildProgram } from "./child-program.ts";

/**
 * Starts WebKitGTK's minimal browser on a virtual screen, controlled by WebDriver
 * (https://www.w3.org/TR/webdriver2/). With "none", commands do not wait until a page has loaded.
 */
export async function openWebKit(
  { width, height }: Size,
  pageLoadStrategy: "normal" | "none" = "normal",
): Promise<Browser> {
  const programs: ChildProgram[] = [];

  // Ends the driver and the virtual screen. The browser ends together with the screen.
  async function close(): Promise<void> {
    await Promise.all(programs.map((program) => program.stop()));
  }

  try {
    const screen = startChild(requireProgram(xvfb), ["-displayfd", "1", "-screen", "0", `${width}x${height}x24`]);
    programs.push(screen);
    const [display] = await screen.waitForOutput(/^\d+$/m);
    const port = await freePort();
    programs.push(startChild(requireProgram(webKitDriver), [`--port=${port}`], { DISPLAY: `:${display}` }));
    const driver = `http://127.0.0.1:${port}`;
    await vi.waitFor(() => send("GET", `${driver}/status`), { timeout: 10_000 });
    // Full screen hides the toolbar, which would prevent a window as narrow as a phone.
    const options = { binary: requireProgram(miniBrowser), args: ["--automation", "--full-screen"] };
    const capabilities = { alwaysMatch: { pageLoadStrategy, "webkitgtk:browserOptions": options } };
    const { sessionId } = await send<{ sessionId: string }>("POST", `${driver}/session`, { capabilities });
    const session = `${driver}/session/${sessionId}`;
    await send("POST", `${session}/window/rect`, { x: 0, y: 0, width, height });

    return {
      goto: (url) => send("POST", `${session}/url`, { url }),
      async evaluate(run, ...args) {
        const script = `return (async (args) => JSON.stringify(await (${run.toString()})(...args)))(JSON.parse(arguments[0]))`;
        const call = { script, args: [JSON.stringify(args)] };
        const result = await send<string | null>("POST", `${session}/execute/sync`, call);
        return result && JSON.parse(result);
      },
      performActions: (actions) => send("POST", `${session}/actions`, { actions }),
      async setFile(selector, path) {
        const locator = { using: "css selector", value: selector };
        const element = await send<Record<string, string>>("POST", `${session}/element`, locator);
        await send("POST", `${session}/element/${Object.values(element)[0]}/value`, { text: path });
      },
      screenshot: async () => Buffer.from(await send<string>("GET", `${session}/screenshot`), "base64"),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sends a command to the driver and resolves to the value of its answer. */
async function send<Value = void>(method: string, url: string, body?: object): Promise<Value> {
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: Value & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
