import { beforeEach, expect, test, vi } from "vitest";

import { login } from "#contract/auth.ts";
import { checkLoginStatus } from "#contract/auth.ts";
import { getAvatarImage } from "#contract/members.ts";
import { ApiError, call, listenToApi, reachable, requestCsrfCookie } from "./api.ts";

const meta = { content: "" };
const page = { cookie: "theme=x; XSRF-TOKEN=old%3D", querySelector: () => meta };
const server = vi.fn<typeof fetch>();
const credentials = { uname: "anna", password: "geheim" };
const anna = {
  id: 1,
  uname: "anna",
  name: "Anna",
  email: "a@b.de",
  permissions: [],
  avatarId: null,
  profile_picture: null,
};

beforeEach(() => {
  page.cookie = "theme=x; XSRF-TOKEN=old%3D";
  server.mockReset();
  vi.stubGlobal("document", page);
  vi.stubGlobal("fetch", server);
});

test("a call sends the page's CSRF token and returns only the reply fields of the contract", async () => {
  server.mockResolvedValueOnce(Response.json({ user: anna, secret: 1 }));
  expect(await call(login, { body: credentials })).toEqual({ user: anna });
  const [address, init] = server.mock.calls[0]!;
  expect(address).toBe("/api/login");
  expect(init).toMatchObject({ method: "POST", credentials: "include", body: JSON.stringify(credentials) });
  expect(init?.headers).toMatchObject({
    "X-Requested-With": "XMLHttpRequest",
    "X-XSRF-TOKEN": "old=",
    "Content-Type": "application/json",
  });
  expect(meta.content).toBe("old=");
});

test("a call refused for an expired CSRF token fetches a new token and is repeated once", async () => {
  server.mockImplementation((address) => {
    if (address === "/sanctum/csrf-cookie") page.cookie = "XSRF-TOKEN=new";
    return Promise.resolve(
      page.cookie === "XSRF-TOKEN=new" ? Response.json({ user: anna }) : new Response(null, { status: 419 }),
    );
  });
  const { signal } = new AbortController();
  await call(login, { body: credentials, signal });
  expect(server.mock.calls.map(([address]) => address)).toEqual(["/api/login", "/sanctum/csrf-cookie", "/api/login"]);
  expect(server.mock.calls.map(([, init]) => init?.signal)).toEqual([signal, signal, signal]);
  expect(server.mock.calls[2]?.[1]?.headers).toMatchObject({ "X-XSRF-TOKEN": "new" });
  expect(meta.content).toBe("new");

  server
    .mockReset()
    .mockImplementation(() => Promise.resolve(Response.json({ message: "Seite abgelaufen." }, { status: 419 })));
  await expect(call(login, { body: credentials })).rejects.toMatchObject({ status: 419 });
  expect(server).toHaveBeenCalledTimes(3);
});

test("a refused call throws an ApiError with the server's messages", async () => {
  const errors = { uname: ["Nein."] };
  server.mockResolvedValueOnce(Response.json({ message: "Nein.", errors }, { status: 422 }));
  await expect(call(login, { body: credentials })).rejects.toEqual(new ApiError(422, "Nein.", errors));
});

test.each([
  [502, "Der Dienst ist gerade nicht verfügbar. Bitte versuche es gleich nochmal."],
  [418, "Es ist ein Fehler aufgetreten."],
])("a proxy's HTML error page with status %i becomes an ApiError with a German sentence", async (status, message) => {
  server.mockResolvedValueOnce(new Response("<html>", { status }));
  await expect(call(checkLoginStatus)).rejects.toMatchObject({ status, message, errors: {} });
});

test.each(["<html>", '{"captive":true}', ""])(
  "a call answered by a hotspot's login page counts as a lost connection: %s",
  async (text) => {
    server.mockResolvedValueOnce(new Response(text));
    await expect(call(checkLoginStatus)).rejects.toMatchObject({ status: 0, message: /Keine Verbindung/ });
  },
);

test("the server counts as unreachable after a failed request, until another request is answered", async () => {
  const reach: boolean[] = [];
  const stop = reachable.subscribe(() => reach.push(reachable.get()));
  server.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await expect(call(checkLoginStatus)).rejects.toMatchObject({ status: 0, message: /Keine Verbindung/ });
  server.mockResolvedValueOnce(Response.json({ user: null }));
  await call(checkLoginStatus);
  stop();
  expect(reach).toEqual([false, true]);
});

test("a call aborted by the page does not count as a lost connection", async () => {
  const heard = vi.fn<() => void>();
  const stop = reachable.subscribe(heard);
  server.mockRejectedValueOnce(new DOMException("Aborted", "AbortError"));
  await expect(call(checkLoginStatus, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  stop();
  expect(heard).not.toHaveBeenCalled();
});

test("a call that times out counts as a lost connection until the next call is answered", async () => {
  const reach: boolean[] = [];
  const stop = reachable.subscribe(() => reach.push(reachable.get()));
  const signal = AbortSignal.abort(new DOMException("Too long.", "TimeoutError"));
  server.mockRejectedValueOnce(signal.reason);
  await expect(call(checkLoginStatus, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
  server.mockResolvedValueOnce(Response.json({ user: null }));
  await call(checkLoginStatus);
  stop();
  expect(reach).toEqual([false, true]);
});

test("a call that changes data waits for a CSRF cookie that the page is already requesting", async () => {
  const cookie = Promise.withResolvers<Response>();
  server.mockReturnValueOnce(cookie.promise);
  void requestCsrfCookie();
  server.mockImplementation(async () => Response.json({ user: null }));
  await call(checkLoginStatus);
  const sent = call(login, { body: credentials }).catch(() => undefined);
  await Promise.resolve();
  const paths = () => server.mock.calls.map(([address]) => address);
  expect(paths()).toEqual(["/sanctum/csrf-cookie", "/api/checkLoginStatus"]);
  cookie.resolve(new Response(null, { status: 204 }));
  await sent;
  expect(paths()).toEqual(["/sanctum/csrf-cookie", "/api/checkLoginStatus", "/api/login"]);
});

test("a reply with status 401 or 403 calls the listener for refused access", async () => {
  const told = vi.fn<() => void>();
  listenToApi({ confirm: async () => false, onAccessRefused: told });
  for (const status of [401, 403, 404]) {
    server.mockResolvedValueOnce(Response.json({ message: "Nein." }, { status }));
    await expect(call(checkLoginStatus)).rejects.toMatchObject({ status });
  }
  expect(told).toHaveBeenCalledTimes(2);
});

test("a call encodes path placeholders and query parameters in the URL", async () => {
  server.mockResolvedValueOnce(new Response(null));
  await call(getAvatarImage, { params: { id: "../a b" }, query: { size: "ä" } });
  expect(server.mock.calls[0]?.[0]).toBe("/internal/images/avatar/..%2Fa%20b?size=%C3%A4");
});
