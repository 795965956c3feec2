import { explainDatabaseError } from "#server/db/connect.ts";

const levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof levels)[number];
type Fields = Record<string, unknown>;

/** Writes JSON lines: an event, and fields without personal data. */
export type Log = Record<LogLevel, (event: string, fields?: Fields) => void>;

const maxLineLength = 8192;

/** Writes lines of `level` and above to stderr. A closed or full pipe loses lines, never a request. */
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

/** The fields of an error for the log. Its stack begins with its message, which therefore must not quote what somebody typed. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) };
  const { code } = error as Error & { code?: string };
  return { error: error.name, ...(code && { code }), stack: error.stack };
}

/** The same of an error that the database may have caused: why it cannot be used, in one line, where it is that. */
export function outageFields(error: unknown): Fields {
  const reason = explainDatabaseError(error);
  return reason === null ? errorFields(error) : { reason };
}

const waiting: string[] = [];
const writeEveryMs = 50;

/** Several lines at a time: writing each one would take half as long as the request that it is about. Problems do not wait. */
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
  if (process.stderr.writableLength < 1_048_576) process.stderr.write(lines);
}
