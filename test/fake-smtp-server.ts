import type { AddressInfo } from "node:net";

import { SMTPServer } from "smtp-server";

import { createCertificates, trustTestAuthority } from "./certificates.ts";
import { endWithTest } from "./cleanup.ts";

export interface SentMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  readonly raw: string;
}

/** A local SMTP server that tests can make fail. */
export interface FakeSmtpServer {
  readonly url: string;
  readonly port: number;
  /** PEM certificate of the test authority, for NODE_EXTRA_CA_CERTS of another process. */
  readonly authority: string;
  /** Mails that arrived, in order, including those whose connection the server then closed. */
  readonly mails: SentMail[];
  /** Lines that clients sent. */
  readonly commands: string[];
  /** Number of recipients that clients named, including refused ones. */
  attempts: number;
  failure: {
    readonly at: "sender" | "recipient" | "end";
    readonly code: number | "drop" | "hang";
    readonly text?: string;
  } | null;
  /** Milliseconds by which the server delays every answer. */
  delayMs: number;
  close(): Promise<void>;
}

interface FakeSmtpOptions {
  readonly port?: number;
  readonly hasTls?: boolean;
  readonly isImplicit?: boolean;
  /** `good`: for localhost, from an authority that we trust; `foreign`: for another host name; `own`: self-signed. */
  readonly certificate?: "good" | "foreign" | "own";
  readonly login?: readonly [user: string, password: string];
}

export async function createFakeSmtpServer(options: FakeSmtpOptions = {}): Promise<FakeSmtpServer> {
  const { hasTls = true, isImplicit = false, certificate = "good", login } = options;
  const { key, cert } = createCertificates()[certificate];
  const state: Omit<FakeSmtpServer, "url" | "port" | "authority" | "close"> = {
    mails: [],
    commands: [],
    attempts: 0,
    failure: null,
    delayMs: 0,
  };
  const server = new SMTPServer({
    secure: isImplicit,
    key,
    cert,
    disabledCommands: [...(hasTls ? [] : ["STARTTLS"]), ...(login ? [] : ["AUTH"])],
    authOptional: !login,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: {
      ...Object.fromEntries(["info", "warn", "error", "fatal", "trace"].map((level) => [level, () => {}])),
      debug: (_: object, text: string, ...values: unknown[]) => {
        const line = text.replace(/%s/g, () => String(values.shift()));
        if (line.startsWith("C: ")) state.commands.push(line.slice(3));
      },
    } as never,
    onAuth(auth, _session, done) {
      const isRight = auth.username === login?.[0] && auth.password === login?.[1];
      done(isRight ? null : new Error("no"), isRight ? { user: "wirt" } : undefined);
    },
    onConnect: (_session, done) => void setTimeout(done, state.delayMs),
    onMailFrom(_address, _session, done) {
      if (state.failure?.at !== "sender") setTimeout(done, state.delayMs);
      else if (typeof state.failure.code === "number") done(refusal(state.failure));
    },
    onRcptTo(_address, _session, done) {
      state.attempts++;
      if (state.failure?.at !== "recipient") setTimeout(done, state.delayMs);
      else if (typeof state.failure.code === "number") done(refusal(state.failure));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        state.mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        if (state.failure?.at !== "end") setTimeout(done, state.delayMs);
        else if (state.failure.code === "drop") for (const connection of server.connections) connection.close();
        else if (typeof state.failure.code === "number") done(refusal(state.failure));
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => void server.listen(options.port ?? 0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  trustTestAuthority();
  return Object.assign(state, {
    port,
    authority: createCertificates().authority,
    url: `${isImplicit ? "smtps" : "smtp"}://localhost:${port}`,
    close: endWithTest(() => new Promise<void>((resolve) => server.close(() => resolve()))),
  });
}

function refusal({ code, text = "not now" }: NonNullable<FakeSmtpServer["failure"]>): Error {
  return Object.assign(new Error(text), { responseCode: code });
}
