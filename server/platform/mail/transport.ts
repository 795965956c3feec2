import { mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

import type { Config } from "#server/config.ts";
import { writeFileDurably } from "#server/platform/security/secrets.ts";
import { syncFolder } from "#server/sync-folder.ts";

export interface Mail {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `id` is the left half of the Message-ID, and `sender` the name of the group. */
type SignedMail = Mail & { readonly id: string; readonly sender: string };

/** Resolves when the mail server has accepted the mail. `stop` aborts the delivery. */
export type Deliver = (mail: SignedMail, date: Date, stop: AbortSignal) => Promise<void>;

/**
 * `refused`: the server permanently refuses this recipient or text. `later`: the server asked for a retry, refuses our
 * sender address (which the operator may correct), or did not confirm the text and may have delivered it.
 * `unreachable`: any other failure before the text was sent.
 */
export type DeliveryFailure = "refused" | "later" | "unreachable";

/** A longer delivery is aborted, and the server counts as unreachable. */
export const maxDeliveryMs = 80_000;
const silenceTimeoutMs = 30_000;
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Without SMTP_URL, mails are written to files in `DATA_DIR/outbox`. */
export function createTransport(config: Config): Deliver {
  return config.smtpUrl === null ? createFolderTransport(config) : createSmtpTransport(config, new URL(config.smtpUrl));
}

/** Each mail gets a new connection. */
function createSmtpTransport(config: Config, url: URL): Deliver {
  const optionsFor = createSmtpOptions(url);
  return async (mail, date, stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(maxDeliveryMs)]);
    const nodemailer = await loadNodemailer();
    const transport = nodemailer.createTransport(optionsFor(signal));
    let isTextSent = false;
    transport.use("stream", ({ message }, done) => {
      const create = message.createReadStream.bind(message);
      // Nodemailer reads this stream only when the server asks for the text, so its end means that the text was sent.
      message.createReadStream = (options) => create(options).once("end", () => (isTextSent = true));
      done();
    });
    await transport.sendMail(toMessage(config, mail, date)).catch((error: unknown) => {
      throw Object.assign(error as Error, { isTextSent });
    });
  };
}

/** Loaded for the first mail, not at the start. */
async function loadNodemailer() {
  return (await import("nodemailer")).default;
}

/** Connects and logs in without sending a mail. Throws nodemailer's error. */
export async function verifyMail({ smtpUrl }: Pick<Config, "smtpUrl">, signal: AbortSignal): Promise<void> {
  const nodemailer = await loadNodemailer();
  const transport = nodemailer.createTransport(createSmtpOptions(new URL(smtpUrl!))(signal));
  await transport.verify();
}

/**
 * Requires TLS with a valid certificate, except from a server on this computer, without a password, that has never
 * offered TLS.
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
      /** Node calls this in every TLS handshake with a valid certificate; TLS is required from then on. */
      checkServerIdentity(name: string, certificate: PeerCertificate): Error | undefined {
        requireTLS = true;
        return checkServerIdentity(name, certificate);
      },
    },
    ...(url.username && { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    greetingTimeout: silenceTimeoutMs,
    // Many mail servers scan a text before they confirm it. After a shorter timeout, the mail would be sent twice.
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

/** The signal always closes the socket, regardless of nodemailer's state. */
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

/** Does not wrap the text of the `.eml` files, so that a link can be copied in a text editor. */
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

/** Unwrapped UTF-8, which nodemailer would encode as quoted-printable. */
function toRawPart(type: string, content: string) {
  return {
    raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content.replaceAll("\n", "\r\n")}`,
  };
}

function toMessage({ appUrl, mailFrom }: Config, mail: SignedMail, date: Date) {
  return {
    from: mailFrom ?? { name: mail.sender, address: `stammtisch@${appUrl.hostname}` },
    // An address in an object is never split, even if it contains commas or brackets.
    to: { name: "", address: mail.recipient },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date,
    messageId: `<${mail.id}@${appUrl.hostname}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

/** Log fields: error codes if only this mail failed, otherwise an explanation for the operator. */
export function describeFailure(config: Config, error: unknown): Record<string, unknown> {
  return isAboutMail(error) && !isSenderRefused(error)
    ? toErrorCodes(error)
    : { reason: explainMailFailure(config, error) };
}

/** Prefers the code of the error that caused nodemailer's, e.g. of a certificate. */
function toErrorCodes(error: unknown): { code: string | undefined; responseCode: number | undefined } {
  const { code, originalCode, responseCode } = error as { code?: string; originalCode?: string; responseCode?: number };
  return { code: originalCode ?? code, responseCode };
}

/** One line for the operator that says why no mail at all can be sent. */
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
  /** E.g. `RCPT TO`. */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly isTextSent?: boolean;
}

export function toFailure(error: unknown): DeliveryFailure {
  if (!isAboutMail(error)) return (error as SmtpError).isTextSent ? "later" : "unreachable";
  return isPermanent(error) && !isSenderRefused(error) ? "refused" : "later";
}

/**
 * The server accepts no mail from this sender because of its address, login or rights. Many servers say so only after
 * the recipient or the text; then the status code counts (RFC 3463): 5.1.7 and 5.1.8 concern the sender's address, 5.7
 * the sender's rights.
 */
function isSenderRefused(error: unknown): boolean {
  const { command, response = "", responseCode } = error as SmtpError;
  if (!isAboutMail(error) || !isPermanent(error)) return false;
  return command === "MAIL FROM" || responseCode === 530 || /^\d+[ -]5\.(1\.[78]|7\.\d+)\b/.test(response);
}

/** The mail server's answer concerns this mail, its sender or its recipient. */
function isAboutMail(error: unknown): boolean {
  const { code, responseCode } = error as SmtpError;
  return (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== undefined;
}

function isPermanent(error: unknown): boolean {
  return ((error as SmtpError).responseCode ?? 0) >= 500;
}
