import { megabytes } from "#contract/sizes.ts";
import { explainDatabaseError } from "#server/db/connect.ts";

const levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof levels)[number];
type Fields = Record<string, unknown>;

/** Each line is JSON. Fields must not contain personal data. */
export type Log = Record<LogLevel, (event: string, fields?: Fields) => void>;

const maxLineLength = 8192;

/** If stderr is a closed or full pipe, lines are lost, but no request fails. */
export function createLog(level: LogLevel, write: (line: string, level: LogLevel) => void = writeToStderr): Log {
  const least = levels.indexOf(level);
  const at =
    (line: LogLevel) =>
    (event: string, fields: Fields = {}) => {
      if (levels.indexOf(line) < least) return;
      const head = { time: new Date().toISOString(), level: line, event };
      const whole = JSON.stringify({ ...head, ...fields });
      write(
        whole.length <= maxLineLength ? whole : JSON.stringify({ ...head, cut: whole.slice(0, maxLineLength / 3) }),
        line,
      );
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** The stack contains the error's message, so messages must not quote user input. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) };
  const { code } = error as Error & { code?: string };
  return { error: error.name, ...(code && { code }), stack: error.stack };
}

/** One-line reason if the database is unavailable, otherwise `errorFields(error)`. */
export function outageFields(error: unknown): Fields {
  const reason = explainDatabaseError(error);
  return reason === null ? errorFields(error) : { reason };
}

const waiting: string[] = [];
const writeEveryMs = 50;

/**
 * Batches lines, because writing each separately would take half as long as handling its request. Warnings and errors
 * are written at once.
 */
function writeToStderr(line: string, level: LogLevel): void {
  waiting.push(`${line}\n`);
  if (level === "warn" || level === "error") flush();
  else if (waiting.length === 1) {
    setTimeout(flush, writeEveryMs).unref();
    process.once("exit", flush);
  }
}

function flush(): void {
  process.off("exit", flush);
  const lines = waiting.splice(0).join("");
  if (process.stderr.writableLength < megabytes(1)) process.stderr.write(lines);
}
