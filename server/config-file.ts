/** Contains only the line's number, not its text, which may be a secret. */
export class EnvironmentFileError extends Error {
  constructor(line: number) {
    super(`names a file whose line ${line} is not NAME=value.`);
  }
}

/**
 * Parses the format of systemd's EnvironmentFile=; the last occurrence of a name wins. Throws an EnvironmentFileError
 * for values that span several lines, and for lines that systemd would silently skip.
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

/** Follows systemd. Returns `undefined` if a quote is not closed or the line ends with a backslash. */
function unquote(written: string): string | undefined {
  const [, single, double, bare] = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|((?!["'])(?:[^\\]|\\.)*))$/s.exec(written) ?? [];
  return single ?? double?.replaceAll(/\\(["\\`$])/g, "$1") ?? bare?.replaceAll(/\\(.)/g, "$1");
}
