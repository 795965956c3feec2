import { createHmac, randomBytes } from "node:crypto";

import type { FieldText } from "#contract/errors.ts";
import { describeChange } from "#contract/game-servers.ts";
import type { WebhookEvent, WebhookFormat } from "#contract/webhooks.ts";
import type { WebhookMessage } from "#server/platform/webhook-message.ts";
import { days, hours, minutes, seconds, toIso } from "#server/time.ts";

/** `unconfirmed`: the answer does not confirm the message. */
export type WebhookFailure = "forbidden-address" | "timeout" | "certificate" | "unreachable" | "unconfirmed";

export interface Answer {
  /** `null` if the attempt failed. */
  readonly status: number | null;
  readonly failure: WebhookFailure | null;
}

/** Time from the first, second, … failed attempt to the next. */
export const retryDelays = [seconds(30), minutes(2), minutes(10), hours(1), hours(4)];
/**
 * Time for which an instance reserves a delivery, longer than any attempt. After a crash, another instance retries
 * then.
 */
export const claimMs = seconds(30);
/** Time after which a message that was not delivered is dropped. */
export const deliveryLifetime = days(1);
/** A webhook is paused after this many failures in a row and this time since the first. */
export const failureLimit = { attempts: 10, ms: hours(1) };
/** Time between two summaries, and the minimum age of their beers: younger ones can still be undone. */
export const summaryInterval = minutes(15);
/** Maximum age of the beers in a summary. Older beers are left out, e.g. those booked before the server was off. */
export const summaryWindow = hours(2);

/** Returns a secret in the form of Standard Webhooks. */
export function createSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Returns `null` if the URL is not https (or http, if `allowHttp`) or contains credentials. */
export function parseWebhookUrl(text: string, allowHttp: boolean): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isAllowed = url.protocol === "https:" || (allowHttp && url.protocol === "http:");
  return isAllowed && url.username === "" && url.password === "" && url.hostname !== "" ? url : null;
}

/** Required end of the path, and the problem of a URL without it. */
const requiredPaths: Partial<Record<WebhookFormat, { pattern: RegExp; problem: FieldText }>> = {
  matrix: { pattern: /\/_matrix\/client\/[^/]+\/rooms\/(!|%21)[^/]+\/?$/i, problem: "noMatrixRoom" },
  ntfy: { pattern: /\/[-\w]{1,64}$/, problem: "noNtfyTopic" },
};

/** Returns `null` if the path names a place for messages. */
export function findPathProblem(format: WebhookFormat, { pathname }: URL): FieldText | null {
  const required = requiredPaths[format];
  return !required || required.pattern.test(pathname) ? null : required.problem;
}

/** Receivers of these formats need an access token. */
export const formatsWithToken: ReadonlySet<WebhookFormat> = new Set(["gotify", "matrix"]);

export interface WebhookContent {
  readonly event: WebhookEvent | "test";
  /** A German sentence. */
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * `names` has the members whom the message may name; `null` for a summary or a milestone of a member without any of
 * them.
 */
export function formatMessage(message: WebhookMessage, names: ReadonlyMap<number, string>): WebhookContent | null {
  const nameOf = (id: number | null) => (id === null ? null : (names.get(id) ?? null));
  switch (message.event) {
    case "beers":
      return formatSummary(message, names);
    case "milestone": {
      const { kind, count } = message;
      const name = nameOf(message.userId);
      if (kind === "member" && name === null) return null;
      const by = name === null ? "" : `, von ${name}`;
      const number = count === 1 ? "erste" : `${count}.`;
      const text = kind === "group" ? `Das ${number} Bier der Gruppe${by}!` : `${name}: das ${count}. Bier!`;
      return { event: "milestone", text, data: { kind, count, member: name } };
    }
    case "party": {
      const { change, name } = message;
      const member = nameOf(message.userId);
      return { event: "party", text: describeParty(change, name, member), data: { change, name, member } };
    }
    case "game-server": {
      const member = nameOf(message.userId);
      const text = describeChange(member, message.message);
      return { event: "game-server", text, data: { message: message.message, member } };
    }
    case "calendar-door": {
      const { date } = message;
      const day = Number(date.slice(8));
      const member = nameOf(message.userId);
      const text = member === null ? `Türchen ${day} ist offen.` : `Türchen ${day} ist offen. ${member} war zuerst da.`;
      return { event: "calendar-door", text, data: { date, member } };
    }
  }
}

function formatSummary(
  { beers, total }: Extract<WebhookMessage, { event: "beers" }>,
  names: ReadonlyMap<number, string>,
): WebhookContent | null {
  const shown = beers.flatMap(({ userId, count }) => {
    const member = names.get(userId);
    return member === undefined ? [] : [{ member, count }];
  });
  if (shown.length === 0) return null;
  const list = shown.map(({ member, count }) => `${member} ${count}`).join(", ");
  return { event: "beers", text: `Prost! ${list}. Zusammen sind es jetzt ${total}.`, data: { beers: shown, total } };
}

function describeParty(change: "started" | "ended", name: string, member: string | null): string {
  if (change === "ended") return `Die Party „${name}“ ist vorbei.`;
  return member === null ? `Die Party „${name}“ beginnt.` : `${member} startet die Party „${name}“.`;
}

/** Members whose names the message may contain. */
export function membersOf(message: WebhookMessage): number[] {
  if (message.event === "beers") return message.beers.map(({ userId }) => userId);
  return message.userId === null ? [] : [message.userId];
}

interface Receiver {
  readonly format: WebhookFormat;
  readonly url: string;
  readonly token: string;
  readonly secret: string;
}

export interface WebhookRequest {
  readonly method: "POST" | "PUT";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Retries have the same `id`, so that a receiver can ignore duplicates. Times are epoch ms. */
export interface DeliveryTimes {
  readonly id: string;
  readonly createdAt: number;
  readonly now: number;
}

/** Below Discord's limit of 2000. */
const maxText = 1900;

/** `sender` is the name of the group. */
export function buildRequest(
  { format, url, token, secret }: Receiver,
  { event, text: fullText, data }: WebhookContent,
  { id, createdAt, now }: DeliveryTimes,
  sender: string,
): WebhookRequest {
  const text = fullText.slice(0, maxText);
  const bearer: Record<string, string> = token === "" ? {} : { authorization: `Bearer ${token}` };
  switch (format) {
    case "json": {
      const body = toJson({ event, text, at: toIso(createdAt), data });
      const timestamp = String(Math.floor(now / 1000));
      const signed = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": "" };
      signed["webhook-signature"] = sign(secret, `${id}.${timestamp}.`, body);
      return { method: "POST", url, headers: { ...jsonType, ...bearer, ...signed }, body };
    }
    case "discord":
      // A name may contain a mention, e.g. `@everyone`.
      return {
        method: "POST",
        url,
        headers: jsonType,
        body: toJson({ username: sender.slice(0, 80), content: text, allowed_mentions: { parse: [] } }),
      };
    case "ntfy":
      return {
        method: "POST",
        url,
        headers: { "content-type": "text/plain; charset=utf-8", title: encodeHeader(sender), ...bearer },
        body: Buffer.from(text),
      };
    case "gotify":
      return {
        method: "POST",
        url: appendPath(url, "message"),
        headers: { ...jsonType, "x-gotify-key": token },
        body: toJson({ title: sender, message: text }),
      };
    case "matrix":
      return {
        method: "PUT",
        url: appendPath(url, `send/m.room.message/${id}`),
        headers: { ...jsonType, ...bearer },
        body: toJson({ msgtype: "m.notice", body: text }),
      };
  }
}

const jsonType = { "content-type": "application/json" };

function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Signs as Standard Webhooks define it (https://www.standardwebhooks.com): `v1,` and the HMAC in base64. */
function sign(secret: string, prefix: string, body: Buffer): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(prefix).update(body).digest("base64")}`;
}

/** Encodes as RFC 2047 defines it, which ntfy decodes. */
function encodeHeader(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`;
}

function appendPath(url: string, path: string): string {
  const longer = new URL(url);
  longer.pathname = `${longer.pathname.replace(/\/$/, "")}/${path}`;
  return longer.href;
}

/** A receipt is the answer with which a chat service confirms a message. */
export const maxReceiptBytes = 65_536;

/** Field that the receipt of a service has. A program of the group (`json`) need not answer with a receipt. */
const receiptFields: Record<Exclude<WebhookFormat, "json">, string> = {
  discord: "id",
  ntfy: "id",
  gotify: "id",
  matrix: "event_id",
};

/** Distinguishes receipts from 2xx answers of other pages and programs. */
export function isReceipt(format: WebhookFormat, status: number, text: string): boolean {
  if (format === "json" || (format === "discord" && status === 204)) return true;
  try {
    return Object.hasOwn(Object(JSON.parse(text)) as object, receiptFields[format]);
  } catch {
    return false;
  }
}

/** `dropped`: the receiver has refused the message, so a retry would not help. */
export type AttemptOutcome = "delivered" | "dropped" | "later";

export function toOutcome({ status, failure }: Answer): AttemptOutcome {
  if (failure === "forbidden-address" || failure === "unconfirmed") return "dropped";
  if (status === null || status === 408 || status === 425 || status === 429 || status >= 500) return "later";
  return status >= 200 && status < 300 ? "delivered" : "dropped";
}

const failureTexts: Record<WebhookFailure, string> = {
  "forbidden-address": "Die Adresse liegt in einem privaten Netz. Das erlaubt nur WEBHOOK_ALLOW_PRIVATE.",
  timeout: "Keine Antwort innerhalb von zehn Sekunden.",
  certificate: "Das Zertifikat des Empfängers ist ungültig.",
  unreachable: "Der Empfänger ist nicht erreichbar.",
  unconfirmed: "Der Empfänger hat geantwortet, aber die Nachricht nicht bestätigt. Stimmt die Adresse?",
};

export function describeAnswer({ status, failure }: Answer): string {
  if (status === null) return failureTexts[failure ?? "unreachable"];
  if (status >= 200 && status < 300) return `Angekommen (${status}).`;
  if (status >= 300 && status < 400)
    return `Der Empfänger leitet weiter (${status}). Trag seine endgültige Adresse ein.`;
  return `Der Empfänger hat mit ${status} geantwortet.`;
}
