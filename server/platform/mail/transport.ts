import { mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";

import nodemailer from "nodemailer";

import type { Config } from "#server/config.ts";
import { writeFileDurably } from "#server/platform/secrets.ts";
import type { QueuedMail } from "./mail-store.ts";

/** A mail, and in whose name it goes out. */
type SignedMail = QueuedMail & { readonly sender: string };

/** Hands one mail over, dated `date`; resolves when the other side has taken it. `stop` cuts the connection. */
export type Deliver = (mail: SignedMail, date: Date, stop: AbortSignal) => Promise<void>;

/**
 * Why a mail did not go out. `refused`: the server does not want it, ever. `later`: it wants it another time.
 * `unreachable`: no word about this mail was spoken at all.
 */
export type DeliveryFailure = "refused" | "later" | "unreachable";

/** A single mail never takes longer; a hanging server counts as unreachable. */
export const maxDeliveryMs = 80_000;
const silenceTimeoutMs = 30_000;
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The mail server at SMTP_URL, or files in `DATA_DIR/outbox` where there is none. */
export function createTransport(config: Config): Deliver {
  return config.smtpUrl === null ? createFolderTransport(config) : createSmtpTransport(config, new URL(config.smtpUrl));
}

/**
 * Encrypted, and the certificate must be good: a server elsewhere that offers no TLS gets nothing. A relay on this very
 * machine, where nobody sits in between, may speak plainly as long as it wants no password and has never offered TLS.
 */
function createSmtpTransport(config: Config, url: URL): Deliver {
  const connectTo = smtpOptions(url);
  return async (mail, date, stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(maxDeliveryMs)]);
    const transport = nodemailer.createTransport(connectTo(signal));
    await transport.sendMail(toMessage(config, mail, date));
  };
}

/** Connects, encrypts and logs in at SMTP_URL as for a mail, and sends none. Throws what went wrong. */
export async function verifyMail({ smtpUrl }: Pick<Config, "smtpUrl">, signal: AbortSignal): Promise<void> {
  const transport = nodemailer.createTransport(smtpOptions(new URL(smtpUrl!))(signal));
  await transport.verify();
}

function smtpOptions(url: URL) {
  const isImplicit = url.protocol === "smtps:";
  let mayBePlain = loopbackHost.test(url.hostname) && url.username === "";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (isImplicit ? 465 : 587);
  const options = {
    host,
    port,
    secure: isImplicit,
    tls: { minVersion: "TLSv1.2" as const },
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    greetingTimeout: silenceTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: createStartTlsDetector(() => (mayBePlain = false)),
  };
  return (signal: AbortSignal) => ({
    ...options,
    requireTLS: !mayBePlain,
    getSocket: (_: unknown, done: SocketCallback) => openSmtpSocket(host, port, signal, done),
  });
}

/** The library tells of a change to TLS in its log alone. */
function createStartTlsDetector(notice: () => void) {
  const quiet = (): void => {};
  const info = (_: unknown, text: string): void => void (text.includes("STARTTLS") && notice());
  return { level: quiet, trace: quiet, debug: quiet, info, warn: quiet, error: quiet, fatal: quiet };
}

type SocketCallback = (error: Error | null, details?: { connection: Socket }) => void;

/** Our own socket, so that it can be cut whatever the conversation is waiting for. */
function openSmtpSocket(host: string, port: number, signal: AbortSignal, done: SocketCallback): void {
  const socket = connect({ host, port, signal });
  socket.setTimeout(silenceTimeoutMs, () => socket.destroy(new Error("The mail server does not answer.")));
  socket.once("error", done);
  socket.once("connect", () => {
    socket.off("error", done);
    socket.setTimeout(0);
    done(null, { connection: socket });
  });
}

/** Files that any mail program opens, and any editor too: the text is not wrapped, so its link can be copied. */
function createFolderTransport(config: Config): Deliver {
  const folder = join(config.dataDir, "outbox");
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return async (mail, date) => {
    const { html, text, ...message } = toMessage(config, mail, date);
    const alternatives = [toRawPart("text/plain", text), toRawPart("text/html", html)];
    const { message: bytes } = await composer.sendMail({ ...message, alternatives });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = `${date.toISOString().replaceAll(/[:.]/g, "-")}-${mail.id}.eml`;
    writeFileDurably(join(folder, name), (bytes as Buffer).toString("utf8"));
  };
}

/** Unwrapped UTF-8; the composer would quote it. */
function toRawPart(type: string, content: string) {
  return {
    raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content.replaceAll("\n", "\r\n")}`,
  };
}

function toMessage({ appUrl, mailFrom }: Config, mail: SignedMail, date: Date) {
  return {
    from: mailFrom ?? { name: mail.sender, address: `stammtisch@${appUrl.hostname}` },
    // As an object it is one address, whatever it looks like.
    to: { name: "", address: mail.recipient },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date,
    messageId: `<${mail.id}@${appUrl.hostname}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

/** What an error of the transport says about the mail. */
export function toFailure(error: unknown): DeliveryFailure {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const isAboutThisMail = code === "EENVELOPE" || code === "EMESSAGE";
  if (!isAboutThisMail || responseCode === undefined) return "unreachable";
  return responseCode >= 500 ? "refused" : "later";
}
