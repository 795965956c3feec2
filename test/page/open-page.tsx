import { configure, screen, waitFor, within } from "@testing-library/dom";
import { userEvent, type UserEvent } from "@testing-library/user-event";
import { expect, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";

import type { Client, ClientResponse } from "#test/client.ts";
import { fridayEvening, password } from "#test/test-app.ts";
import type { startApp } from "./app.tsx";
import { openApp } from "./open-app.ts";

// Only for slow machines: waits end as soon as their condition is true.
configure({
  asyncUtilTimeout: 30_000,
  getElementError: (message) =>
    new Error(`${message?.split("\n")[0] ?? ""}\nThe page says: ${pageText() || "nothing"}`),
});

// happy-dom has no popovers, so each is always visible.
Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} });

/** Returns also hidden text. */
export const pageText = (): string => document.body.textContent;

export const openDialogs = (): string[] =>
  screen.queryAllByRole("dialog").map((dialog) => dialog.querySelector("h2")?.textContent ?? "");

/** Returns "" without a message. */
export const messageText = (): string => document.querySelector("[data-flash]")?.textContent ?? "";

/** Returns the numbers by their `data-counter` attribute. */
export function counts(): Record<string, string> {
  const shown = [...document.querySelectorAll<HTMLElement>("[data-counter]")];
  return Object.fromEntries(shown.map((counter) => [counter.dataset["counter"], counter.textContent]));
}

export interface OpenPage {
  readonly user: UserEvent;
  readonly router: Awaited<ReturnType<typeof startApp>>["router"];
  /** Also those that another message has replaced at once. */
  readonly shownMessages: readonly string[];
  /** Waits until the button is enabled. */
  press(name: string | RegExp, inside?: HTMLElement): Promise<void>;
  /** Replaces the field's content. */
  fill(label: string, text: string, inside?: HTMLElement): Promise<void>;
  /** Registers the new user Ida. */
  registerIda(): Promise<void>;
  /** Waits for the counter page. */
  logIn(uname: string, secret: string): Promise<void>;
  /** Waits by default for the channel of the beer counter. */
  isLive(channel?: string, times?: number): Promise<void>;
  /** Receives a message as from a hosted realtime service. */
  receive(event: string, data: object, channel: string): void;
  /** Keeps what the page has stored in the browser. */
  close(): void;
  /** Cuts the connection; the page reconnects automatically. */
  interrupt(): void;
  /** Closes the connection as a hosted service does after a change of the member's session. */
  sendOff(): void;
}

let close = (): void => {};

/** Closes the previous page. `inSameBrowser`: keeps what that one has stored. */
export async function openPage(client: Client, path: string, { inSameBrowser = false } = {}): Promise<OpenPage> {
  close();
  if (!inSameBrowser) localStorage.clear();
  history.replaceState(null, "", path);
  document.head.innerHTML = '<meta name="csrf-token" content="">';
  vi.useFakeTimers({ toFake: ["Date"], now: fridayEvening });
  const messages: string[] = [];
  const sockets: WebSocket[] = [];
  // Never removed: a late request of a test must not reach another server.
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

  const shownMessages: string[] = [];
  const observer = new MutationObserver(() => void shownMessages.push(messageText()));
  observer.observe(document.body, { subtree: true, childList: true });
  closing.signal.addEventListener("abort", () => observer.disconnect());

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
    shownMessages,
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

/** happy-dom has no back button. */
export function goBackTo(path: string, state: unknown): void {
  history.replaceState(state, "", path);
  dispatchEvent(new PopStateEvent("popstate", { state }));
}

/** Waits until the replies are rendered, too. */
export async function allAnswered(): Promise<void> {
  await Promise.allSettled(vi.mocked(fetch).mock.results.map(({ value }) => value as Promise<Response>));
  await new Promise((resolve) => setTimeout(resolve));
}

/** `path` is part of the path of the next request; an `Error` is a lost connection. */
export function answerOnce(client: Client, path: string, answer: Partial<ClientResponse> | Error): void {
  const send = client.send.bind(client);
  const answering = vi.spyOn(client, "send").mockImplementation(async (...request) => {
    if (!request[1].includes(path)) return send(...request);
    answering.mockRestore();
    if (answer instanceof Error) throw answer;
    return { headers: {}, text: "", ...answer } as ClientResponse;
  });
}

/** Sends the client's cookies. */
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
      // A socket that is closed while connecting.
      this.on("error", () => {});
    }
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
