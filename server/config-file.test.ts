import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { parseEnvironmentFile } from "./config-file.ts";
import { addEnvironmentFile, readConfig } from "./config.ts";

const folder = createTemporaryFolder();
const file = join(folder, "stammtisch.env");

/** Writes a file with these lines and returns `given` extended by the variables of the file. */
function withFile(lines: readonly string[], given: Record<string, string> = {}): Record<string, string | undefined> {
  writeFileSync(file, lines.join("\n"));
  const env: Record<string, string | undefined> = { ...given, STAMMTISCH_ENV_FILE: file };
  addEnvironmentFile(env);
  return env;
}

test("the environment file is parsed as systemd parses it: names, values, comments, quotes and backslashes", () => {
  const lines = [
    "# A comment",
    "  ; another one",
    "",
    "PORT=4000\r",
    "  GROUP_NAME =  Stammtisch #1 = der beste \t",
    "GROUP_SHORT='K\"S\\K'",
    'HEIGHT_REQUESTED_BY="Anna \\"die Große\\" \\$5 \\n"',
    'LEGAL_LINKS=[{"label":"Impressum","url":"/impressum"}]',
    "MAIL_FROM=a\\ b\\\\c",
    "SMTP_URL=",
    "PORT=5000",
  ];
  expect(parseEnvironmentFile(lines.join("\n"))).toEqual({
    PORT: "5000",
    GROUP_NAME: "Stammtisch #1 = der beste",
    GROUP_SHORT: 'K"S\\K',
    HEIGHT_REQUESTED_BY: 'Anna "die Große" $5 \\n',
    LEGAL_LINKS: '[{"label":"Impressum","url":"/impressum"}]',
    MAIL_FROM: "a b\\c",
    SMTP_URL: "",
  });
});

test.for([
  "hunter2",
  "export PORT=hunter2",
  "1PORT=hunter2",
  "PORT='hunter2",
  'PORT="hunter2',
  "PORT='hunter2' x",
  "PORT=hunter2\\",
  "\uFEFFPORT=hunter2",
])(
  "an environment file with the line %j is refused with an error that has the line's number, but not its text",
  (line) => {
    expect(() => withFile(["HOST=localhost", line])).toThrow(
      /^STAMMTISCH_ENV_FILE names a file whose line 2 is not NAME=value\.$/,
    );
  },
);

test("refuses a missing environment file, and reads no file if STAMMTISCH_ENV_FILE is not set", () => {
  const missing = { STAMMTISCH_ENV_FILE: join(folder, "none") };
  expect(() => addEnvironmentFile(missing)).toThrow("STAMMTISCH_ENV_FILE names a file that cannot be read (ENOENT).");
  const env = {};
  addEnvironmentFile(env);
  expect(env).toEqual({});
});

test("the environment file does not override variables that are already set directly or by a _FILE variable", () => {
  const env = withFile(["PORT=4000", "GROUP_NAME=Skat", "DATABASE_URL=postgres://u:p@db/file", "LOG_LEVEL=debug"], {
    PORT: "5000",
    GROUP_NAME: "",
    DATABASE_URL_FILE: "/run/secrets/url",
  });
  expect(env).toMatchObject({ PORT: "5000", GROUP_NAME: "Skat", LOG_LEVEL: "debug" });
  expect(env["DATABASE_URL"]).toBeUndefined();
});

test("the environment file's DATABASE_URL is ignored if DATA_DIR is set outside of the file", () => {
  const lines = ["DATA_DIR=/var/lib/stammtisch", "DATABASE_URL=postgres://u:p@db/file"];
  expect(readConfig(withFile(lines))).toMatchObject({ databaseUrl: "postgres://u:p@db/file" });
  const elsewhere = readConfig(withFile(lines, { DATA_DIR: folder }));
  expect([elsewhere.dataDir, elsewhere.databaseUrl]).toEqual([folder, null]);
});

test("misspelt variables are found in the environment and in the environment file", () => {
  const { misspeltVariables } = readConfig(
    withFile(["TRUSTPROXY=127.0.0.1"], { APPURL: "https://a.example", HOME: "/" }),
  );
  expect(misspeltVariables).toEqual([
    { name: "APPURL", meant: "APP_URL" },
    { name: "TRUSTPROXY", meant: "TRUST_PROXY" },
  ]);
});

test("refuses an environment file with an unknown STAMMTISCH_ variable or an invalid value, and names the variable", () => {
  expect(() => readConfig(withFile(["STAMMTISCH_PROT=3000"]))).toThrow(/^STAMMTISCH_PROT is not a known variable/);
  expect(() => readConfig(withFile(["PORT=many"]))).toThrow(/^PORT must be/);
});
