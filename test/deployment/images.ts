// Builds container images from the programs and libraries of this machine, because a test engine
// may be unable to download images.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { DockerEngine } from "../../scripts/docker-engine.ts";
import { busybox, requireProgram } from "../../scripts/system-programs.ts";

const root = join(import.meta.dirname, "../..");
const authorities = "/etc/ssl/certs/ca-certificates.crt";
const large = { maxBuffer: 2 ** 30 };

/** Builds the Dockerfile, and returns the last 2000 characters of the engine's output. */
export async function buildStammtisch(engine: DockerEngine): Promise<string> {
  const changes = ["ENV PATH=/usr/local/bin:/bin", `ENV NODE_EXTRA_CA_CERTS=${authorities}`];
  await importImage(engine, "localhost/node:26", changes, layNode);
  const options = new URLSearchParams({
    t: "stammtisch",
    networkmode: "host",
    buildargs: JSON.stringify({ NODE_IMAGE: "localhost/node:26" }),
  });
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  const context = execFileSync("tar", ["-cf", "-", "-T", "-"], { cwd: root, input: files, ...large });
  return (await engine.request("POST", `/build?${options.toString()}`, context)).text.slice(-2000);
}

/** Imports Debian's Caddy as an image that starts like the official image `caddy`. */
export async function importCaddy(engine: DockerEngine): Promise<void> {
  const command = ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"];
  const changes = [
    "ENV PATH=/usr/bin:/bin XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config",
    `CMD ${JSON.stringify(command)}`,
  ];
  await importImage(engine, "caddy:2", changes, (base) => {
    layProgram(base, "/usr/bin/caddy");
    for (const name of ["tmp", "data", "config", "etc/caddy"]) mkdirSync(join(base, name), { recursive: true });
  });
}

/**
 * Imports Debian's PostgreSQL as an image that supports the variables and the data path of the
 * official image `postgres`, as far as our Compose file uses them.
 */
export async function importPostgres(engine: DockerEngine, programs: string): Promise<void> {
  const changes = [`ENV PATH=${programs}:/bin`, 'ENTRYPOINT ["/entry"]', "VOLUME /var/lib/postgresql"];
  await importImage(engine, "postgres:18", changes, (base) => {
    for (const name of ["postgres", "initdb", "pg_isready", "pg_ctl", "psql"]) layProgram(base, join(programs, name));
    layProgram(base, "/usr/bin/setpriv");
    for (const path of [
      join(dirname(programs), "lib"),
      programs.replace("/lib/", "/share/").replace("/bin", ""),
      "/usr/share/zoneinfo",
    ])
      lay(base, path);
    layShell(base, ["sh", "cat", "mkdir", "chown", "sed"]);
    for (const name of ["tmp", "var/run/postgresql"]) mkdirSync(join(base, name), { recursive: true });
    for (const name of ["tmp", "var/run/postgresql"]) chmodSync(join(base, name), 0o777);
    writeFileSync(join(base, "etc/passwd"), "root:x:0:0::/:/bin/sh\npostgres:x:999:999::/:/bin/sh\n");
    writeFileSync(join(base, "entry"), postgresEntry, { mode: 0o755 });
  });
}

const postgresEntry = `#!/bin/sh
set -e
data=/var/lib/postgresql/18/docker
as="/usr/bin/setpriv --reuid=999 --regid=999 --clear-groups"
if [ ! -d $data ]; then
  mkdir -p $data
  chown -R 999:999 /var/lib/postgresql
  export POSTGRES_PASSWORD="$(cat "$POSTGRES_PASSWORD_FILE")"
  echo "$POSTGRES_PASSWORD" > /tmp/password
  chown 999:999 /tmp/password
  $as initdb -D $data -U postgres --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 --no-locale -E UTF8
  echo "host all all all scram-sha-256" >> $data/pg_hba.conf
  $as pg_ctl -D $data -o "-c listen_addresses= -k /var/run/postgresql" -w start
  for script in /docker-entrypoint-initdb.d/*.sh; do $as sh $script; done
  $as pg_ctl -D $data -w stop
fi
exec $as postgres -D $data -c jit=off -c "listen_addresses=*" -k /var/run/postgresql
`;

async function importImage(
  engine: DockerEngine,
  name: string,
  changes: readonly string[],
  layFiles: (base: string) => void,
): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), "image-"));
  try {
    // Makes the folder readable for other users, because it becomes the root of containers that run
    // as other users.
    chmodSync(base, 0o755);
    layFiles(base);
    const [repo, tag] = name.split(":") as [string, string];
    const settings = new URLSearchParams({ fromSrc: "-", repo, tag });
    for (const change of changes) settings.append("changes", change);
    const files = execFileSync("tar", ["-C", base, "-cf", "-", "."], large);
    await engine.request("POST", `/images/create?${settings.toString()}`, files);
  } finally {
    rmSync(base, { recursive: true });
  }
}

function lay(base: string, from: string, to = from): void {
  // A file may exist already, because programs share libraries.
  if (existsSync(join(base, to))) return;
  mkdirSync(join(base, dirname(to)), { recursive: true });
  cpSync(from, join(base, to), { recursive: true, dereference: true });
}

/** Copies a program with its shared libraries, and returns the paths of these libraries. */
function layProgram(base: string, path: string, to = path): string[] {
  lay(base, path, to);
  lay(base, authorities);
  const listed = execFileSync("ldd", [path], { encoding: "utf8" }).matchAll(/(?:=> )?(\/\S+) \(0x/g);
  const libraries = [...listed].map(([, library]) => library!);
  for (const library of libraries) lay(base, library);
  return libraries;
}

function layShell(base: string, names: readonly string[]): void {
  lay(base, requireProgram(busybox), "/bin/busybox");
  for (const name of names) symlinkSync("busybox", join(base, "bin", name));
}

/**
 * Copies the parts of the official image `node:26` that the Dockerfile uses: Node with its
 * libraries, npm, and shells.
 */
function layNode(base: string): void {
  const libraries = layProgram(base, process.execPath, "/usr/local/bin/node");
  const systemFolder = dirname(libraries.find((library) => library.includes("/libc.so"))!);
  // Copies two libraries that Node itself does not use, but that native modules need.
  for (const name of ["librt.so.1", "libresolv.so.2"]) lay(base, join(systemFolder, name));
  const npm = execFileSync("sh", ["-c", 'readlink -f "$(command -v npm)"'], { encoding: "utf8" }).trim();
  lay(base, dirname(dirname(npm)), "/usr/local/lib/node_modules/npm");
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(base, "usr/local/bin/npm"));
  layShell(base, ["sh", "cp", "mkdir", "chown", "chmod", "dirname", "readlink", "env"]);
  layProgram(base, "/usr/bin/nice", "/bin/nice");
  layProgram(base, "/usr/bin/bash", "/bin/bash");
  mkdirSync(join(base, "usr/bin"), { recursive: true });
  symlinkSync("/bin/busybox", join(base, "usr/bin/env"));
  mkdirSync(join(base, "home/node"), { recursive: true });
  mkdirSync(join(base, "tmp"));
  chmodSync(join(base, "tmp"), 0o777);
  writeFileSync(join(base, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n");
}
