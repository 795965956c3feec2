import { InvalidValueError } from "./config-values.ts";

/**
 * The variables in the text of a file that systemd reads as EnvironmentFile=, e.g. `{ PORT: "3000" }`. Where a name comes twice
 * the last one counts. Values that go on in the next line, and lines that systemd would skip without a word, throw a BadValue;
 * it names the line's number and never its text.
 */
export function parseEnvironmentFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [index, line] of text.split("\n").entries()) {
    if (/^[ \t\r]*([#;]|$)/.test(line)) continue;
    const [, name, written] = /^[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?)[ \t\r]*$/s.exec(line) ?? [];
    const value = written === undefined ? undefined : unquote(written);
    if (name === undefined || value === undefined)
      throw new InvalidValueError(`names a file whose line ${index + 1} is not NAME=value.`);
    variables[name] = value;
  }
  return variables;
}

/** The value that systemd takes out of quotes and backslashes; undefined where a quote or the line is left open. */
function unquote(written: string): string | undefined {
  const [, single, double, bare] = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|((?!["'])(?:[^\\]|\\.)*))$/s.exec(written) ?? [];
  return single ?? double?.replaceAll(/\\(["\\`$])/g, "$1") ?? bare?.replaceAll(/\\(.)/g, "$1");
}
