// Tests the container image, which a real engine builds from the Dockerfile and runs with the
// options of compose.yaml. The engine has no bridge network, so the container uses the host's
// network.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";

import { startDockerEngine, type DockerEngine } from "../../scripts/docker-engine.ts";
import { busybox, docker, requireProgram } from "../../scripts/system-programs.ts";
import { buildStammtisch } from "./images.ts";

const root = join(import.meta.dirname, "../..");
const port = 18_090;

interface App {
  read_only: boolean;
  tmpfs: string[];
  cap_drop: string[];
  security_opt: string[];
  pids_limit: number;
}
const { services } = parse(readFileSync(join(root, "compose.yaml"), "utf8")) as { services: { app: App } };

let engine: DockerEngine;

beforeAll(async () => {
  engine = await startDockerEngine(requireProgram(docker), requireProgram(busybox));
  expect(await buildStammtisch(engine)).toContain("Successfully tagged stammtisch:latest");
});
afterAll(async () => engine?.stop());

test("the image runs as an unprivileged user on a read-only file system, and exits with 0", async () => {
  const { app } = services;
  const created = await engine.request("POST", "/containers/create?name=app", {
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

  await engine.request("POST", "/containers/app/start");
  expect(await untilHealthy()).toBe("healthy");
  const page = await fetch(`http://localhost:${port}/`, { headers: { "accept-encoding": "br" } });
  expect(await page.text()).toContain('<div id="root">');
  expect(page.headers.get("content-encoding")).toBe("br");
  const invitation = /http:\/\/localhost:\d+\/register#token=[\w-]+/;
  expect((await engine.request("GET", "/containers/app/logs?stdout=true")).text).toMatch(invitation);

  const { text } = await engine.request("GET", "/containers/app/json");
  const { Config, HostConfig, Mounts } = JSON.parse(text);
  expect(Config.User).toBe("1000:1000");
  expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, Privileged: false, CapDrop: ["ALL"], CapAdd: null });
  expect(Mounts.map(({ Destination }: { Destination: string }) => Destination)).toEqual(["/data"]);
  // The process runs as an unprivileged user, has no capabilities, and cannot gain any.
  const status = readFileSync(`/proc/${JSON.parse(text).State.Pid}/status`, "utf8");
  expect(status).toMatch(/^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
  expect(status).toMatch(/^CapEff:\s+0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  // The app needs about 145 MiB, and would need 20 MiB more if it loaded the TypeScript compiler.
  expect(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024).toBeLessThan(155);

  const began = performance.now();
  await engine.request("POST", "/containers/app/stop?t=10");
  expect(performance.now() - began).toBeLessThan(9000);
  expect((await state()).ExitCode).toBe(0);

  await engine.request("POST", "/containers/app/start");
  expect(await untilHealthy()).toBe("healthy");
});

async function state(): Promise<{ ExitCode: number; Health?: { Status: string } }> {
  return JSON.parse((await engine.request("GET", "/containers/app/json")).text).State;
}

async function untilHealthy(): Promise<string | undefined> {
  let seen = await state();
  for (let attempt = 0; seen.Health?.Status === "starting" && attempt < 300; attempt += 1) {
    await sleep(200);
    seen = await state();
  }
  return seen.Health?.Status;
}

test("the image is less than 60 MB larger than its base", async () => {
  const sizeOf = async (name: string): Promise<number> =>
    JSON.parse((await engine.request("GET", `/images/${name}/json`)).text).Size;
  expect(((await sizeOf("stammtisch")) - (await sizeOf("localhost/node:26"))) / 1024 ** 2).toBeLessThan(60);
});
