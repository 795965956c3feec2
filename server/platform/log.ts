const levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof levels)[number];
type Fields = Record<string, unknown>;

/** Writes JSON lines: an event, and fields without personal data. */
export type Log = Record<LogLevel, (event: string, fields?: Fields) => void>;

const maxLineLength = 8192;

/** Writes lines of `level` and above to stderr. A closed or full pipe loses lines, never a request. */
export function createLog(level: LogLevel, write: (line: string) => void = writeToStderr): Log {
  const least = levels.indexOf(level);
  const at =
    (line: LogLevel) =>
    (event: string, fields: Fields = {}) => {
      if (levels.indexOf(line) < least) return;
      const head = { time: new Date().toISOString(), level: line, event };
      const whole = JSON.stringify({ ...head, ...fields });
      write(
        whole.length <= maxLineLength ? whole : JSON.stringify({ ...head, cut: whole.slice(0, maxLineLength / 3) }),
      );
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** The fields of an error for the log: name, code and stack, but not the message, which may contain personal data. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) };
  const { code } = error as Error & { code?: string };
  return { error: error.name, ...(code && { code }), stack: error.stack };
}

function writeToStderr(line: string): void {
  if (process.stderr.writableLength < 1_048_576) process.stderr.write(`${line}\n`);
}
