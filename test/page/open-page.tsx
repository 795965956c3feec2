import { configure, screen, waitFor, within } from "@testing-library/dom";
import { userEvent, type UserEvent } from "@testing-library/user-event";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";

import type { Client, ClientResponse } from "#test/client.ts";
import { fridayEvening, password } from "#test/test-app.ts";

// Waiting ends with what is waited for: a slow machine is not a failure.
configure({
  asyncUtilTimeout: 10_000,
  getElementError: (message) =>
    new Error(`${message?.split("\n")[0] ?? ""}\nThe page says: ${pageText() || "nothing"}`),
});

// This document knows no popovers: what is one is always in view.
Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} });

/** All the text on the page, in view or not. */
export const pageText = (): string => document.body.textContent;

/** The titles of the dialogs that are open. */
export const openDialogs = (): string[] =>
  screen.queryAllByRole("dialog").map((dialog) => dialog.querySelector("h2")?.textContent ?? "");

/** The message that lies over the page; "" for none. */
export const flashText = (): string => document.querySelector("[data-flash]")?.textContent ?? "";

/** The numbers on the mat. */
export function counts(): Record<string, string> {
  const shown = [...document.querySelectorAll<HTMLElement>("[data-counter]")];
  return Object.fromEntries(shown.map((counter) => [counter.dataset["counter"], counter.textContent]));
}

/** What a person does with the page in the test's document. */
export interface OpenPage {
  readonly user: UserEvent;
  /** Waits until the button of this name can be pressed, and presses it. */
  press(name: string | RegExp, inside?: HTMLElement): Promise<void>;
  /** Waits for the field with this label and replaces what is in it. */
  fill(label: string, text: string, inside?: HTMLElement): Promise<void>;
  /** Fills in the registration as Ida, with everybody's password, and sends it. */
  registerIda(): Promise<void>;
  /** Fills in the login form, and waits for the counter. */
  logIn(uname: string, secret: string): Promise<void>;
  /** Waits until the page receives every beer, or the events of another channel. */
  isLive(channel?: string): Promise<void>;
  /** Cuts the live connection, which comes back by itself. */
  interrupt(): void;
  /** Ends it as a hosted service does when something of the member has changed. */
  sendOff(): void;
}

let close = (): void => {};

/** Opens a page as this client's browser would, with the real server behind it; the one that was open before is closed. */
export async function openPage(client: Client, path: string): Promise<OpenPage> {
  close();
  history.replaceState(null, "", path);
  document.head.innerHTML = '<meta name="csrf-token" content="">';
  vi.useFakeTimers({ toFake: ["Date"], now: fridayEvening });
  const messages: string[] = [];
  const sockets: WebSocket[] = [];
  // These stay: what a closed page still asks for must not go to whatever listens at its address.
  Object.assign(globalThis, {
    fetch: vi.fn(createFetch(client)),
    WebSocket: createWebSocket(client, messages, sockets),
  });
  const { App, pages } = await import("./app.tsx");
  const { startSession } = await import("#web/platform/session.ts");
  await Promise.all([startSession(), ...pages.map((page) => page.load())]);
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(<App />);
  close = () => {
    root.unmount();
    document.body.replaceChildren();
    localStorage.clear();
    vi.useRealTimers();
    vi.resetModules();
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
    async isLive(channel = "private-beercounter") {
      const joined = () =>
        messages
          .map((text) => JSON.parse(text) as { event: string; channel?: string })
          .flatMap((message) => (message.event.endsWith("subscription_succeeded") ? [message.channel] : []));
      await expect.poll(joined).toContain(channel);
    },
    interrupt: () => sockets.forEach((socket) => socket.terminate()),
    sendOff: () => void sockets.at(-1)!.emit("close", 4009, Buffer.alloc(0)),
  };
}

/** Waits until everything that the page has asked for is answered, and the answers are on the screen. */
export async function allAnswered(): Promise<void> {
  await Promise.allSettled(vi.mocked(fetch).mock.results.map(({ value }) => value as Promise<Response>));
  await new Promise((resolve) => setTimeout(resolve));
}

/** Answers the next request with this in its path in place of the server; with an error, no answer comes. */
export function answerOnce(client: Client, path: string, answer: Partial<ClientResponse> | Error): void {
  const send = client.send.bind(client);
  const answering = vi.spyOn(client, "send").mockImplementation(async (...request) => {
    if (!request[1].includes(path)) return send(...request);
    answering.mockRestore();
    if (answer instanceof Error) throw answer;
    return { headers: {}, text: "", ...answer } as ClientResponse;
  });
}

/** Sends what the page sends, with the client's cookies. */
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
      // A page that is closed while its socket opens is no mistake.
      this.on("error", () => {});
    }
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
