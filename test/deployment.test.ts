// Checks the deployment files without starting containers or services; `npm run test:deployment`
// starts them.
import { execFile as execFileWithCallback } from "node:child_process";
import { readFileSync } from "node:fs";
import { BlockList } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test, vi } from "vitest";
import { parse } from "yaml";

import { parseEnvironmentFile } from "#server/config-file.ts";
import { maskConfig, readConfig } from "#server/config.ts";
import { listDocumentedCommands, setUp } from "./documented-commands.ts";
import { createTestApp } from "./test-app.ts";

const execFile = promisify(execFileWithCallback);

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const variables = new Set(Object.keys(maskConfig(readConfig({}))));

interface Service {
  image?: string;
  build?: object;
  env_file?: string;
  environment?: Record<string, string>;
  command?: string;
  user?: string;
  volumes?: string[];
  ports?: string[];
  read_only?: boolean;
  privileged?: boolean;
  network_mode?: string;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  logging?: { driver: string };
}

const services = ["compose.yaml", "deploy/compose.postgres.yaml"].flatMap((file) =>
  Object.entries((parse(read(file), { merge: true }) as { services: Record<string, Service> }).services).map(
    ([name, service]) => ({ file, name, service }),
  ),
);
const ours = services.filter(({ service }) => service.image === "${STAMMTISCH_IMAGE:-stammtisch}");

test("our containers are confined: read-only, unprivileged, and limited in memory and processes", () => {
  expect(ours.map(({ name }) => name)).toEqual(["app", "engine-filter", "app-1", "app-2"]);
  for (const { name, service } of ours) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      mem_limit: expect.any(String),
      pids_limit: expect.any(Number),
    });
    expect(service.privileged, name).toBeUndefined();
  }
  expect(read("Dockerfile")).toMatch(/^USER 1000:1000$/m);
});

test("app and engine filter of compose.yaml run as the same user, which an operator can choose", () => {
  const users = services.filter(({ file }) => file === "compose.yaml").map(({ service }) => service.user);
  expect(users).toEqual(["${PUID:-1000}:${PGID:-1000}", "${PUID:-1000}:${DOCKER_GID:-999}"]);
});

test("only the engine filter, which has no network, mounts the container engine's socket", () => {
  const holders = services.filter(({ service }) => service.volumes?.some((volume) => volume.includes("docker.sock")));
  expect(holders.map(({ name, service }) => [name, service.network_mode])).toEqual([["engine-filter", "none"]]);
});

test("the systemd unit of the engine filter, but not that of the app, is in the engine's group", () => {
  const settings = (unit: string) =>
    ["User", "Group", "SupplementaryGroups"].map((name) => new RegExp(`^${name}=(.+)$`, "m").exec(read(unit))?.[1]);
  expect(settings("deploy/stammtisch.service")).toEqual(["stammtisch", undefined, undefined]);
  expect(settings("deploy/engine-filter.service")).toEqual(["stammtisch-engine", "stammtisch", "docker"]);
});

test("only the proxy in the Compose files publishes ports to other machines", () => {
  const open = services.flatMap(({ name, service }) =>
    (service.ports ?? []).filter((port) => !port.startsWith("127.0.0.1:")).map((port) => `${name} ${port}`),
  );
  expect(open).toEqual(["caddy 80:80", "caddy 443:443", "caddy 443:443/udp"]);
});

test("every container's log has a size limit", () => {
  for (const { name, service } of services) expect(service.logging, name).toEqual({ driver: "local" });
});

test("systemd does not stop the app when one of its game servers runs out of memory", () => {
  expect(read("deploy/stammtisch.service")).toMatch(/^KillMode=process$[^]*^OOMPolicy=continue$/m);
});

test("the app knows every setting that the example files contain", () => {
  const named = ours.flatMap(({ service }) => Object.keys(service.environment ?? {}));
  const service = Object.keys(parseEnvironmentFile(read("deploy/stammtisch.env")));
  const image = [...read("Dockerfile").matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) =>
    line!.split(" ").map((assignment) => assignment.split("=")[0]!),
  );
  const foreign = new Set(["NODE_ENV", "PATH"]);
  const all = [...named, ...service, ...image].filter((name) => !foreign.has(name));
  expect(all.length).toBeGreaterThan(5);
  expect(all.filter((name) => !variables.has(name.replace(/_FILE$/, "")))).toEqual([]);
});

test("both Compose files pass every setting from .env to the app, except the settings that the files set themselves", () => {
  for (const { name, service } of ours.filter((one) => one.name.startsWith("app"))) {
    expect(service.env_file, name).toBe(".env");
    // A setting for the program without a container must not move its port or its data.
    const fixedValues = { HOST: "0.0.0.0", PORT: "3000", DATA_DIR: "/data", BACKUP_DIR: "/backup" };
    expect(service.environment, name).toMatchObject(fixedValues);
    const fixed = [
      "HOST",
      "PORT",
      "DATA_DIR",
      "BACKUP_DIR",
      "APP_URL",
      "ENGINE_URL",
      "DATABASE_URL",
      "DATABASE_URL_FILE",
      "TRUST_PROXY",
    ];
    expect(fixed, name).toEqual(expect.arrayContaining(Object.keys(service.environment ?? {})));
    // Both the setting and its file would be refused.
    if (service.environment?.["DATABASE_URL_FILE"]) expect(service.environment["DATABASE_URL"], name).toBe("");
  }
});

test("the app's services in the Compose files run STAMMTISCH_IMAGE, and can also be built from the source", () => {
  expect(ours.filter(({ service }) => service.build).map(({ name }) => name)).toEqual(["app", "app-1", "app-2"]);
});

test("no other container of the Compose file can get the address of Caddy, which the app trusts as its proxy", () => {
  const file = parse(read("deploy/compose.postgres.yaml"), { merge: true }) as {
    services: { caddy: { networks: { inside: { ipv4_address: string } } } };
    networks: { inside: { ipam: { config: { subnet: string; ip_range: string }[] } } };
  };
  const address = file.services.caddy.networks.inside.ipv4_address;
  const [{ subnet, ip_range: range }] = file.networks.inside.ipam.config as [{ subnet: string; ip_range: string }];
  const holds = (cidr: string) => {
    const list = new BlockList();
    const [network, bits] = cidr.split("/");
    list.addSubnet(network!, Number(bits));
    return list.check(address);
  };
  expect([holds(subnet), holds(range)]).toEqual([true, false]);
  expect(ours.find(({ name }) => name === "app-1")?.service.environment?.["TRUST_PROXY"]).toBe(address);
});

test("the image's build context includes all files that the Dockerfile copies, but no settings, secrets or data", () => {
  const [first, ...lines] = read(".dockerignore")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  expect(first).toBe("*");
  const allowed = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  const [, copied = ""] = /cp -a (.+) \/image\/stammtisch\//.exec(read("Dockerfile"))!;
  const built = new Set(["dist", "node_modules"]);
  for (const name of copied.split(" ").filter((path) => !built.has(path))) expect(allowed).toContain(name);
  // The app shows the members' guide, which is therefore part of the image.
  const guide = new Set(["docs/members.de.md", "docs/pictures/members-*.webp"]);
  expect(
    allowed.filter(
      (name) =>
        !guide.has(name) &&
        /^(\.env|data|backup|deploy|docs|test|\.git\/(?!HEAD$|packed-refs$|refs\/heads$))/.test(name),
    ),
  ).toEqual([]);
});

test("the Compose files have different project names, which do not depend on the folder", () => {
  const names = ["compose.yaml", "deploy/compose.postgres.yaml"].map(
    (file) => (parse(read(file)) as { name: string }).name,
  );
  expect(names).toEqual(["stammtisch", "deploy"]);
});

test("the health check of the image succeeds only while the server is ready, and starts no Node", async () => {
  const [, command] = /^HEALTHCHECK .*CMD (\[.+\])$/m.exec(read("Dockerfile")) ?? [];
  const [program, ...args] = JSON.parse(command!) as string[];
  expect(program).toBe("bash");
  const app = await createTestApp();
  const isHealthy = async (port: string) =>
    execFile(`/bin/${program}`, args, { env: { PORT: port, PATH: "/nowhere" } }).then(
      () => true,
      () => false,
    );
  const { port } = new URL(app.url);
  expect(await isHealthy(port)).toBe(true);
  vi.spyOn(app.context.bus, "isDeaf").mockReturnValue(true);
  expect(await isHealthy(port), "not ready").toBe(false);
  expect(await isHealthy("1"), "no server").toBe(false);
});

test("the German and the English hosting guide contain the same commands", () => {
  expect(setUp.length).toBeGreaterThan(5);
  expect(listDocumentedCommands("hosting.de.md", "Weg B: ohne Docker, als Dienst")).toEqual(setUp);
});

test("the nightly backups and the documented backup command write to a folder outside of the container", () => {
  const [, service, folder] = / exec -T (\S+) stammtisch backup (\/\w+)\//.exec(read("docs/operating.md"))!;
  expect(service).toBe("app");
  const apps = ours.filter(({ name }) => name.startsWith("app"));
  for (const { name, service: its } of apps) {
    expect(its.volumes, name).toContain(`./backup:${folder}`);
    expect(its.environment?.["BACKUP_DIR"], name).toBe(folder);
  }
  for (const page of ["docs/hosting.md", "docs/hosting.de.md"])
    expect(read(page).match(/^mkdir backup( && sudo chown 1000 database-url backup)?$/gm), page).toHaveLength(2);
});

test("the systemd unit of the app and the command line read the same environment file", () => {
  const file = /^EnvironmentFile=(.+)$/m.exec(read("deploy/stammtisch.service"))?.[1];
  const command = /STAMMTISCH_ENV_FILE:-(.+)\}/.exec(read("deploy/stammtisch"))?.[1];
  expect([file, command]).toEqual(Array(2).fill("/etc/stammtisch.env"));
});

test("the example files contain no secrets, and nginx overwrites the X-Forwarded-For header of clients", () => {
  for (const { service } of services) {
    const secrets = Object.entries(service.environment ?? {}).filter(([name]) => /PASSWORD|SECRET|DATABASE/.test(name));
    const written = secrets.filter(([name, value]) => !name.endsWith("_FILE") && value !== "");
    expect(written).toEqual([]);
  }
  expect(read("deploy/nginx.conf")).toContain("proxy_set_header X-Forwarded-For $remote_addr;");
  expect(read("deploy/nginx.conf")).not.toContain("$proxy_add_x_forwarded_for");
});
