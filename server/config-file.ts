/** A line that cannot be parsed. The message contains its number, never its text, which may be a secret. */
export class EnvironmentFileError extends Error {
  constructor(line: number) {
    super(`names a file whose line ${line} is not NAME=value.`);
  }
}

/**
 * Parses a file in the format of systemd's EnvironmentFile=, e.g. `{ PORT: "3000" }`. The last occurrence of a name wins. Values
 * over several lines, and lines that systemd would silently skip, throw an EnvironmentFileError.
 */
export function parseEnvironmentFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [index, line] of text.split("\n").entries()) {
    if (/^[ \t\r]*([#;]|$)/.test(line)) continue;
    const [, name, written] = /^[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?)[ \t\r]*$/s.exec(line) ?? [];
    const value = written === undefined ? undefined : unquote(written);
    if (name === undefined || value === undefined) throw new EnvironmentFileError(index + 1);
    variables[name] = value;
  }
  return variables;
}

/** Returns the value without quotes and backslashes, as systemd reads it; undefined if a quote or the line is not closed. */
function unquote(written: string): string | undefined {
  const [, single, double, bare] = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|((?!["'])(?:[^\\]|\\.)*))$/s.exec(written) ?? [];
  return single ?? double?.replaceAll(/\\(["\\`$])/g, "$1") ?? bare?.replaceAll(/\\(.)/g, "$1");
}
