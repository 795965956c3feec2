import { mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

import type { Config } from "#server/config.ts";
import { writeFileDurably } from "#server/platform/secrets.ts";
import { syncFolder } from "#server/sync-folder.ts";
import type { QueuedMail } from "./mail-store.ts";

/** A mail with the sender's name. */
type SignedMail = QueuedMail & { readonly sender: string };

/** Delivers one mail, dated `date`; resolves when the mail server has accepted it. `stop` ends the connection. */
export type Deliver = (mail: SignedMail, date: Date, stop: AbortSignal) => Promise<void>;

/**
 * Why a mail was not delivered. `refused`: this recipient or this text, permanently. `later`: the server asks to try again, takes no
 * mail from this sender, which the operator may correct, or has the text and did not answer, so that it may have delivered it.
 * `unreachable`: the server said nothing about this mail.
 */
export type DeliveryFailure = "refused" | "later" | "unreachable";

/** A delivery that takes longer is aborted, and the server counts as unreachable. */
export const maxDeliveryMs = 80_000;
const silenceTimeoutMs = 30_000;
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The mail server at SMTP_URL, or files in `DATA_DIR/outbox` where there is none. */
export function createTransport(config: Config): Deliver {
  return config.smtpUrl === null ? createFolderTransport(config) : createSmtpTransport(config, new URL(config.smtpUrl));
}

/** Sends by SMTP, with one connection per mail. */
function createSmtpTransport(config: Config, url: URL): Deliver {
  const optionsFor = createSmtpOptions(url);
  return async (mail, date, stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(maxDeliveryMs)]);
    const nodemailer = await loadNodemailer();
    const transport = nodemailer.createTransport(optionsFor(signal));
    let isTextSent = false;
    transport.use("stream", ({ message }, done) => {
      const create = message.createReadStream.bind(message);
      // It is read when the server asks for the text.
      message.createReadStream = (options) => create(options).once("end", () => (isTextSent = true));
      done();
    });
    await transport.sendMail(toMessage(config, mail, date)).catch((error: unknown) => {
      throw Object.assign(error as Error, { isTextSent });
    });
  };
}

/** When the first mail needs it. */
async function loadNodemailer() {
  return (await import("nodemailer")).default;
}

/** Connects, encrypts and logs in at SMTP_URL as for a mail, and sends none. Throws what went wrong. */
export async function verifyMail({ smtpUrl }: Pick<Config, "smtpUrl">, signal: AbortSignal): Promise<void> {
  const nodemailer = await loadNodemailer();
  const transport = nodemailer.createTransport(createSmtpOptions(new URL(smtpUrl!))(signal));
  await transport.verify();
}

/**
 * The options for one connection after the other. TLS with a valid certificate is required, except for a server on this
 * machine that takes no password, until it has offered TLS for the first time.
 */
function createSmtpOptions(url: URL) {
  const isImplicit = url.protocol === "smtps:";
  let requireTLS = !loopbackHost.test(url.hostname) || url.username !== "";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (isImplicit ? 465 : 587);
  const options = {
    host,
    port,
    secure: isImplicit,
    tls: {
      minVersion: "TLSv1.2" as const,
      /** Node asks this within every TLS handshake whose certificate is valid. */
      checkServerIdentity(name: string, certificate: PeerCertificate): Error | undefined {
        requireTLS = true;
        return checkServerIdentity(name, certificate);
      },
    },
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    greetingTimeout: silenceTimeoutMs,
    // Many servers examine the text before they answer. Who hangs up meanwhile sends it twice.
    socketTimeout: maxDeliveryMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return (signal: AbortSignal) => ({
    ...options,
    requireTLS,
    getSocket: (_: unknown, done: SocketCallback) => openSmtpSocket(host, port, signal, done),
  });
}

type SocketCallback = (error: Error | null, details?: { connection: Socket }) => void;

/** A socket of our own, so that the signal ends it whatever nodemailer is waiting for. */
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

/** Writes `.eml` files, which mail programs open. Their text is not wrapped, so that a link can be copied from an editor. */
function createFolderTransport(config: Config): Deliver {
  const folder = join(config.dataDir, "outbox");
  return async (mail, date) => {
    const nodemailer = await loadNodemailer();
    const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });
    const { html, text, ...message } = toMessage(config, mail, date);
    const alternatives = [toRawPart("text/plain", text), toRawPart("text/html", html)];
    const { message: bytes } = await composer.sendMail({ ...message, alternatives });
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(config.dataDir);
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

/** The fields of a failure for the log: what the operator can do something about in words, what is about one mail in codes. */
export function describeFailure(config: Config, error: unknown): Record<string, unknown> {
  return isAboutMail(error) && !isSenderRefused(error)
    ? toErrorCodes(error)
    : { reason: explainMailFailure(config, error) };
}

/** The code of an error of nodemailer, the cause's own where there is one, e.g. of a certificate; and what the server answered. */
function toErrorCodes(error: unknown): { code: string | undefined; responseCode: number | undefined } {
  const { code, originalCode, responseCode } = error as { code?: string; originalCode?: string; responseCode?: number };
  return { code: originalCode ?? code, responseCode };
}

/** Why no mail can be sent at all, in one line for the operator. */
export function explainMailFailure({ smtpUrl }: Pick<Config, "smtpUrl">, error: unknown): string {
  const { code = "", responseCode } = toErrorCodes(error);
  const known: Record<string, string> = {
    EAUTH: "it rejects the login",
    ETLS: "it offers no encryption",
    ABORT_ERR: "it does not answer",
    CERT_HAS_EXPIRED: "its certificate has expired",
  };
  const why = known[code] ?? [code, responseCode].filter(Boolean).join(" ");
  if (smtpUrl === null) return `DATA_DIR: mails cannot be written to the outbox: ${why}.`;
  const server = `the mail server ${new URL(smtpUrl).hostname}`;
  if (isSenderRefused(error))
    return `MAIL_FROM or SMTP_URL: ${server} takes no mail from this sender: ${responseCode}.`;
  return `SMTP_URL: ${server} cannot be used: ${why}.`;
}

interface SmtpError {
  readonly code?: string;
  /** What the server refused, e.g. `RCPT TO`. */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
  /** Whether the server has the whole text. */
  readonly isTextSent?: boolean;
}

/** What an error of nodemailer means for the mail. */
export function toFailure(error: unknown): DeliveryFailure {
  if (!isAboutMail(error)) return (error as SmtpError).isTextSent ? "later" : "unreachable";
  return isPermanent(error) && !isSenderRefused(error) ? "refused" : "later";
}

/**
 * Whether the server takes no mail from this sender, whoever it is for: its address, its login or its rights are wrong. Many servers
 * say so when they hear the recipient, or after the text. Then the status tells (RFC 3463): 5.1.7 and 5.1.8 mean the sender's
 * address, 5.7 the sender's rights.
 */
function isSenderRefused(error: unknown): boolean {
  const { command, response = "", responseCode } = error as SmtpError;
  if (!isAboutMail(error) || !isPermanent(error)) return false;
  return command === "MAIL FROM" || responseCode === 530 || /^\d+[ -]5\.(1\.[78]|7\.\d+)\b/.test(response);
}

/** Whether the server said it about this mail, its sender or its recipient. */
function isAboutMail(error: unknown): boolean {
  const { code, responseCode } = error as SmtpError;
  return (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== undefined;
}

function isPermanent(error: unknown): boolean {
  return ((error as SmtpError).responseCode ?? 0) >= 500;
}
