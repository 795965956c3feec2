import { configure, screen, waitFor, within } from "@testing-library/dom";
import { userEvent, type UserEvent } from "@testing-library/user-event";
import { expect, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";

import type { Client, ClientResponse } from "#test/client.ts";
import { fridayEvening, password } from "#test/test-app.ts";
import type { startApp } from "./app.tsx";
import { openApp } from "./open-app.ts";

// Waits end as soon as their condition is true, so the long timeout only prevents failures on slow machines.
configure({
  asyncUtilTimeout: 30_000,
  getElementError: (message) =>
    new Error(`${message?.split("\n")[0] ?? ""}\nThe page says: ${pageText() || "nothing"}`),
});

// happy-dom does not support popovers, so every popover is always visible.
Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} });

/** Returns all text of the page, including hidden text. */
export const pageText = (): string => document.body.textContent;

/** Returns the titles of the open dialogs. */
export const openDialogs = (): string[] =>
  screen.queryAllByRole("dialog").map((dialog) => dialog.querySelector("h2")?.textContent ?? "");

/** Returns the text of the flash message; "" if none is shown. */
export const flashText = (): string => document.querySelector("[data-flash]")?.textContent ?? "";

/** Returns the numbers in the counter card, by their `data-counter` attribute. */
export function counts(): Record<string, string> {
  const shown = [...document.querySelectorAll<HTMLElement>("[data-counter]")];
  return Object.fromEntries(shown.map((counter) => [counter.dataset["counter"], counter.textContent]));
}

/** Actions of a user on the page that happy-dom shows. */
export interface OpenPage {
  readonly user: UserEvent;
  readonly router: Awaited<ReturnType<typeof startApp>>["router"];
  /** Waits until the button with this name is enabled, and clicks it. */
  press(name: string | RegExp, inside?: HTMLElement): Promise<void>;
  /** Waits for the field with this label and replaces its content. */
  fill(label: string, text: string, inside?: HTMLElement): Promise<void>;
  /** Fills in and submits the registration form as the new user Ida. */
  registerIda(): Promise<void>;
  /** Fills in and submits the login form, and waits for the counter page. */
  logIn(uname: string, secret: string): Promise<void>;
  /** Waits until the page is subscribed to a channel of live events; by default that of the beer counter. */
  isLive(channel?: string, times?: number): Promise<void>;
  /** Receives a message of the live connection, as a hosted realtime service sends it. */
  receive(event: string, data: object, channel: string): void;
  /** Closes the page; what it has stored in the browser stays. */
  close(): void;
  /** Cuts the live connection; the page reconnects automatically. */
  interrupt(): void;
  /** Closes the live connection as a hosted realtime service does after a change of the member's session. */
  sendOff(): void;
}

let close = (): void => {};

/**
 * Opens a page with the cookies of this client, connected to a real server. Closes the previous page. `inSameBrowser`:
 * the page finds what the previous page has stored in the browser.
 */
export async function openPage(client: Client, path: string, { inSameBrowser = false } = {}): Promise<OpenPage> {
  close();
  if (!inSameBrowser) localStorage.clear();
  history.replaceState(null, "", path);
  document.head.innerHTML = '<meta name="csrf-token" content="">';
  vi.useFakeTimers({ toFake: ["Date"], now: fridayEvening });
  const messages: string[] = [];
  const sockets: WebSocket[] = [];
  // These stubs are never removed: a late request of the tests must not reach another server.
  Object.assign(globalThis, { fetch: vi.fn(createFetch(client)) });
  const closing = new AbortController();
  const { render, router } = await openApp(closing.signal, createWebSocket(client, messages, sockets));
  const remove = render();
  close = () => {
    remove();
    vi.useRealTimers();
    closing.abort();
    document.body.replaceChildren();
    close = () => {};
  };
  onTestFinished(() => close());

  const user = userEvent.setup({ delay: null });
  const press = async (name: string | RegExp, inside: HTMLElement = document.body): Promise<void> => {
    const button = await waitFor(() => {
      const found = within(inside).getByRole("button", { name });
      expect(found.matches(":disabled, [inert] *"), `${name} cannot be pressed`).toBe(false);
      return found;
    });
    await user.click(button);
  };
  const fill = async (label: string, text: string, inside: HTMLElement = document.body): Promise<void> => {
    await user.clear(await within(inside).findByLabelText(label));
    await user.paste(text);
  };
  return {
    user,
    router,
    press,
    fill,
    async registerIda() {
      const fields = { Benutzername: "ida", Name: "Ida", "E-Mail-Adresse": "ida@stammtisch.example" };
      for (const [label, text] of Object.entries(fields)) await fill(label, text);
      for (const label of ["Passwort", "Passwort bestätigen"]) await fill(label, password);
      await press("Account erstellen");
    },
    async logIn(uname, secret) {
      await screen.findByRole("heading", { name: "Login" });
      await fill("Benutzername", uname);
      await fill("Passwort", secret);
      await press("Login");
      await screen.findByRole("button", { name: "Bier trinken" });
    },
    async isLive(channel = "private-beercounter", times = 1) {
      const joined = () =>
        messages
          .map((text) => JSON.parse(text) as { event: string; channel?: string })
          .flatMap((message) => (message.event.endsWith("subscription_succeeded") ? [message.channel] : []));
      await expect.poll(() => joined().filter((name) => name === channel).length).toBeGreaterThanOrEqual(times);
    },
    receive(event, data, channel) {
      const message = JSON.stringify({ event, channel, data: JSON.stringify(data) });
      sockets.at(-1)!.emit("message", Buffer.from(message), false);
    },
    close: () => close(),
    interrupt: () => sockets.forEach((socket) => socket.terminate()),
    sendOff: () => void sockets.at(-1)!.emit("close", 4009, Buffer.alloc(0)),
  };
}

/**
 * Simulates the browser's back button, which happy-dom does not have: returns to the history entry with this path and
 * state.
 */
export function goBackTo(path: string, state: unknown): void {
  history.replaceState(state, "", path);
  dispatchEvent(new PopStateEvent("popstate", { state }));
}

/** Waits until all requests of the page are answered and the replies are rendered. */
export async function allAnswered(): Promise<void> {
  await Promise.allSettled(vi.mocked(fetch).mock.results.map(({ value }) => value as Promise<Response>));
  await new Promise((resolve) => setTimeout(resolve));
}

/** Replaces the reply to the next request whose path contains `path`. An `Error` simulates a lost connection. */
export function answerOnce(client: Client, path: string, answer: Partial<ClientResponse> | Error): void {
  const send = client.send.bind(client);
  const answering = vi.spyOn(client, "send").mockImplementation(async (...request) => {
    if (!request[1].includes(path)) return send(...request);
    answering.mockRestore();
    if (answer instanceof Error) throw answer;
    return { headers: {}, text: "", ...answer } as ClientResponse;
  });
}

/** Returns a `fetch` that sends requests with the client's cookies. */
function createFetch(client: Client) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(new URL(url, location.href), init);
    const body = Buffer.from(await request.arrayBuffer());
    const answer = await client.send(request.method, pathOf(request.url), {
      headers: Object.fromEntries(request.headers),
      ...(body.length > 0 && { body }),
    });
    document.cookie = `XSRF-TOKEN=${client.cookies.get("XSRF-TOKEN")}; path=/`;
    return new Response(answer.text || null, {
      status: answer.status,
      headers: Object.entries(answer.headers).filter(([, value]) => typeof value === "string") as [string, string][],
    });
  };
}

function createWebSocket(client: Client, messages: string[], sockets: WebSocket[]) {
  return class extends WebSocket {
    constructor(url: string) {
      super(client.url.replace("http", "ws") + pathOf(url), {
        headers: { host: client.host, origin: location.origin, cookie: client.cookieHeader },
      });
      sockets.push(this);
      this.on("message", (data) => messages.push((data as Buffer).toString()));
      // Ignores the error of a socket that is closed while it is still connecting.
      this.on("error", () => {});
    }
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
