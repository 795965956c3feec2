// The container image, built from the Dockerfile by a real engine and run the way compose.yaml says. Images cannot be counted on to be
// downloadable, so the base is made of this machine's own Node and npm; the engine has no bridge, so containers share our network.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";

import { startEngine, type TestEngine } from "../../scripts/engine.ts";

const root = join(import.meta.dirname, "../..");
const port = 18_090;
const authorities = "/etc/ssl/certs/ca-certificates.crt";

interface App {
  read_only: boolean;
  tmpfs: string[];
  cap_drop: string[];
  security_opt: string[];
  pids_limit: number;
}
const { services } = parse(readFileSync(join(root, "compose.yaml"), "utf8")) as { services: { app: App } };

let engine: TestEngine;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "image-"));
  engine = await startEngine(process.env["DOCKERD"]!, process.env["BUSYBOX"]!);
  const settings = new URLSearchParams({ fromSrc: "-", repo: "localhost/node", tag: "26" });
  settings.append("changes", "ENV PATH=/usr/local/bin:/bin");
  settings.append("changes", `ENV NODE_EXTRA_CA_CERTS=${authorities}`);
  await engine.ask("POST", `/images/create?${settings.toString()}`, nodeRootFileSystem());
});
afterAll(async () => {
  await engine?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("the image builds, serves as nobody special on a read-only root, keeps its data, and ends cleanly", async () => {
  const options = new URLSearchParams({
    t: "stammtisch",
    networkmode: "host",
    buildargs: JSON.stringify({ NODE_IMAGE: "localhost/node:26" }),
  });
  const built = await engine.ask("POST", `/build?${options.toString()}`, context());
  expect(built.text.slice(-2000)).toContain("Successfully tagged stammtisch:latest");

  const { app } = services;
  const created = await engine.ask("POST", "/containers/create?name=app", {
    Image: "stammtisch",
    Env: [`APP_URL=http://localhost:${port}`, `PORT=${port}`, "HOST=127.0.0.1"],
    HostConfig: {
      NetworkMode: "host",
      ReadonlyRootfs: app.read_only,
      Tmpfs: Object.fromEntries(app.tmpfs.map((path) => [path, ""])),
      CapDrop: app.cap_drop,
      SecurityOpt: app.security_opt,
      PidsLimit: app.pids_limit,
      Mounts: [{ Type: "volume", Source: "data", Target: "/data" }],
    },
  });
  expect(created.status, created.text).toBe(201);

  await engine.ask("POST", "/containers/app/start");
  expect(await untilHealthy()).toBe("healthy");
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toContain('<div id="root">');
  const invitation = /http:\/\/localhost:\d+\/register\?token=[\w-]+/;
  expect((await engine.ask("GET", "/containers/app/logs?stdout=true")).text).toMatch(invitation);

  const { text } = await engine.ask("GET", "/containers/app/json");
  const { Config, HostConfig, Mounts } = JSON.parse(text);
  expect(Config.User).toBe("1000:1000");
  expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, Privileged: false, CapDrop: ["ALL"], CapAdd: null });
  expect(Mounts.map(({ Destination }: { Destination: string }) => Destination)).toEqual(["/data"]);
  // 3: this process is nobody's, has no capability, and can gain none.
  const status = readFileSync(`/proc/${JSON.parse(text).State.Pid}/status`, "utf8");
  expect(status).toMatch(/^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
  expect(status).toMatch(/^CapEff:\s+0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);

  const began = performance.now();
  await engine.ask("POST", "/containers/app/stop?t=10");
  expect(performance.now() - began).toBeLessThan(9000);
  expect((await state()).ExitCode).toBe(0);

  await engine.ask("POST", "/containers/app/start");
  expect(await untilHealthy()).toBe("healthy");
});

async function state(): Promise<{ ExitCode: number; Health?: { Status: string } }> {
  return JSON.parse((await engine.ask("GET", "/containers/app/json")).text).State;
}

async function untilHealthy(): Promise<string | undefined> {
  let seen = await state();
  for (let attempt = 0; seen.Health?.Status === "starting" && attempt < 300; attempt += 1) {
    await sleep(200);
    seen = await state();
  }
  return seen.Health?.Status;
}

/** Everything that is or would be in the repository. */
function context(): Buffer {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  return execFileSync("tar", ["-cf", "-", "-T", "-"], { cwd: root, input: files, maxBuffer: 2 ** 30 });
}

/** What `node:26` has of what the Dockerfile uses: Node with its libraries, npm, and a shell. */
function nodeRootFileSystem(): Buffer {
  const base = join(folder, "base");
  const copy = (from: string, to = from): void => {
    mkdirSync(join(base, dirname(to)), { recursive: true });
    cpSync(from, join(base, to), { recursive: true, dereference: true });
  };
  copy(process.execPath, "/usr/local/bin/node");
  const listed = execFileSync("ldd", [process.execPath], { encoding: "utf8" }).matchAll(/(?:=> )?(\/\S+) \(0x/g);
  const libraries = [...listed].map(([, library]) => library!);
  const systemFolder = dirname(libraries.find((library) => library.includes("/libc.so"))!);
  // Node itself does without these two; what it loads does not.
  for (const name of ["librt.so.1", "libresolv.so.2"]) libraries.push(join(systemFolder, name));
  for (const library of libraries) copy(library);
  const npm = execFileSync("sh", ["-c", 'readlink -f "$(command -v npm)"'], { encoding: "utf8" }).trim();
  copy(dirname(dirname(npm)), "/usr/local/lib/node_modules/npm");
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(base, "usr/local/bin/npm"));
  copy(authorities);
  copy(process.env["BUSYBOX"]!, "/bin/busybox");
  for (const name of ["sh", "cp", "mkdir", "chown", "chmod", "dirname", "readlink", "env"])
    symlinkSync("busybox", join(base, "bin", name));
  mkdirSync(join(base, "usr/bin"), { recursive: true });
  symlinkSync("/bin/busybox", join(base, "usr/bin/env"));
  mkdirSync(join(base, "tmp"), { mode: 0o777 });
  writeFileSync(join(base, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n");
  return execFileSync("tar", ["-C", base, "-cf", "-", "."], { maxBuffer: 2 ** 30 });
}
