// Checks the templates for home servers against the settings of the program. It does not start them, which needs their platforms.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Window } from "happy-dom";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { configSchema } from "#server/config-schema.ts";
import { readConfig } from "#server/config.ts";
import { released } from "./released.ts";

const read = (file: string): string => readFileSync(join(import.meta.dirname, "../deploy", file), "utf8");

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly (string | { readonly target: string })[];
  readonly ports?: readonly { readonly target: number; readonly published: string }[];
  readonly "x-casaos"?: Readonly<Record<"envs" | "ports" | "volumes", readonly { readonly container: string }[]>>;
}

/** The values of the variables that the platforms fill in. */
const platformValues: Readonly<Record<string, string>> = {
  TZ: "Europe/Vienna",
  AppID: "stammtisch",
  APP_DATA_DIR: "/home/umbrel/app-data/stammtisch",
  DEVICE_DOMAIN_NAME: "umbrel.local",
};
const fillIn = (text: string) =>
  text.replaceAll(/\$\{?(\w+)\}?/g, (variable, name: string) => platformValues[name] ?? variable);

/** Reads the configuration as the container would, and returns its public address. */
function addressOf(environment: Readonly<Record<string, string>>): string {
  expect(Object.keys(environment).filter((name) => !(name in configSchema.shape))).toEqual([]);
  const filled = Object.entries(environment).map(([name, value]) => [name, fillIn(value)]);
  return readConfig(Object.fromEntries(filled)).appUrl.origin;
}

const isolation = {
  read_only: true,
  tmpfs: ["/tmp"],
  cap_drop: ["ALL"],
  security_opt: ["no-new-privileges:true"],
  mem_limit: "512m",
  pids_limit: 256,
};

describe("Unraid", () => {
  const { DOMParser } = new Window();
  const document = new DOMParser().parseFromString(read("unraid/stammtisch.xml"), "application/xml");
  const textOf = (name: string) => document.querySelector(name)?.textContent;
  const settings = [...document.querySelectorAll("Config")].map((setting) => ({
    type: setting.getAttribute("Type"),
    target: setting.getAttribute("Target")!,
    isRequired: setting.getAttribute("Required") === "true",
    isMasked: setting.getAttribute("Mask") === "true",
    value: setting.textContent,
  }));
  const targets = (type: string) => settings.filter((setting) => setting.type === type).map(({ target }) => target);

  test("the Unraid template starts the newest release's image without privileges", () => {
    expect([textOf("Repository"), textOf("Privileged"), textOf("WebUI")]).toEqual([
      `stammtisch:${released}`,
      "false",
      "http://[IP]:[PORT:3000]/",
    ]);
    expect(textOf("ExtraParams")?.split(" ")).toEqual(
      expect.arrayContaining([
        "--read-only",
        "--tmpfs=/tmp",
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges:true",
      ]),
    );
    expect([targets("Port"), targets("Path")]).toEqual([["3000"], ["/data", "/backup"]]);
  });

  test("the server accepts the values of the Unraid template once APP_URL is filled in", () => {
    const variables = settings.filter(({ type }) => type === "Variable");
    expect(variables.filter(({ isRequired }) => isRequired).map(({ target }) => target)).toEqual(["APP_URL"]);
    expect(variables.filter(({ isMasked }) => isMasked).map(({ target }) => target)).toEqual(["SMTP_URL"]);
    const values = Object.fromEntries(variables.map(({ target, value }) => [target, value]));
    expect(addressOf({ ...values, APP_URL: "https://stammtisch.example" })).toBe("https://stammtisch.example");
  });
});

describe("Umbrel", () => {
  const app = parse(read("umbrel/umbrel-app.yml")) as Record<string, string>;
  const { services } = parse(read("umbrel/docker-compose.yml")) as { services: Record<"app_proxy" | "app", Service> };

  test("the Umbrel manifest has the version of the newest release and every field that Umbrel requires", () => {
    expect(app).toMatchObject({ manifestVersion: 1, id: "stammtisch", version: released });
    const required =
      "manifestVersion id category name version tagline description releaseNotes developer website repo support port gallery path dependencies";
    expect(Object.keys(app)).toEqual(expect.arrayContaining(required.split(" ")));
  });

  test("Umbrel's proxy reaches the app, and the app knows the address at which Umbrel serves it", () => {
    expect(services.app_proxy.environment).toMatchObject({ APP_HOST: `${app["id"]}_app_1`, APP_PORT: 3000 });
    expect(services.app).toMatchObject({ ...isolation, image: `stammtisch:${released}`, user: "1000:1000" });
    expect(services.app.volumes).toEqual(["${APP_DATA_DIR}/data:/data"]);
    expect(addressOf(services.app.environment)).toBe(`http://umbrel.local:${app["port"]}`);
  });
});

describe("CasaOS", () => {
  const file = parse(read("casaos/docker-compose.yml")) as {
    name: string;
    services: { app: Service };
    "x-casaos": Record<string, unknown>;
  };
  const { app } = file.services;
  const explained = (kind: "envs" | "ports" | "volumes") => app["x-casaos"]?.[kind].map(({ container }) => container);

  test("the CasaOS template starts the newest release's image and publishes its port", () => {
    expect(app).toMatchObject({ ...isolation, image: `stammtisch:${released}` });
    expect(app.ports).toEqual([{ target: 3000, published: "3000", protocol: "tcp" }]);
    expect(file["x-casaos"]).toMatchObject({
      architectures: ["amd64", "arm64"],
      main: "app",
      port_map: "3000",
      title: { en_us: "Stammtisch" },
    });
    expect(addressOf(app.environment)).toBe("http://casaos.local:3000");
  });

  test("the CasaOS template explains every setting, port and folder", () => {
    expect(explained("envs")?.toSorted()).toEqual(Object.keys(app.environment).toSorted());
    expect(explained("ports")).toEqual(["3000"]);
    expect(explained("volumes")).toEqual(["/data"]);
    expect(app.volumes).toEqual([{ type: "bind", source: "/DATA/AppData/$AppID/data", target: "/data" }]);
  });
});
