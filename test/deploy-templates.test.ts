// Checks the templates for home servers against the settings of the program. It does not start them, which needs their platforms.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Window } from "happy-dom";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { parseEnvironmentFile } from "#server/config-file.ts";
import { configSchema } from "#server/config-schema.ts";
import { readConfig } from "#server/config.ts";
import { fillTemplates, imageOf } from "../scripts/release-files.ts";

const { repository } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
  repository: string;
};
const image = imageOf(repository);
const icon = `${repository}/releases/download/v1.2.3/icon.png`;
const files = fillTemplates({ version: "1.2.3", repository, image });

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
  const document = new DOMParser().parseFromString(files["stammtisch.xml"]!, "application/xml");
  const textOf = (name: string) => document.querySelector(name)?.textContent;
  const settings = [...document.querySelectorAll("Config")].map((setting) => ({
    type: setting.getAttribute("Type"),
    target: setting.getAttribute("Target")!,
    isRequired: setting.getAttribute("Required") === "true",
    isMasked: setting.getAttribute("Mask") === "true",
    value: setting.textContent,
  }));
  const targets = (type: string) => settings.filter((setting) => setting.type === type).map(({ target }) => target);

  test("the Unraid template of a release starts its image without privileges", () => {
    expect([textOf("Icon"), textOf("Repository"), textOf("Privileged"), textOf("WebUI")]).toEqual([
      icon,
      `${image}:1.2.3`,
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
  const app = parse(files["umbrel-app.yml"]!) as Record<string, string>;
  const { services } = parse(files["umbrel-docker-compose.yml"]!) as { services: Record<"app_proxy" | "app", Service> };

  test("the Umbrel manifest of a release has its version, the address of the repository and every field that Umbrel requires", () => {
    expect(app).toMatchObject({ manifestVersion: 1, id: "stammtisch", version: "1.2.3", repo: repository, icon });
    const required =
      "manifestVersion id category name version tagline description releaseNotes developer website repo support port gallery path dependencies";
    expect(Object.keys(app)).toEqual(expect.arrayContaining(required.split(" ")));
  });

  test("Umbrel's proxy reaches the app, and the app knows the address at which Umbrel serves it", () => {
    expect(services.app_proxy.environment).toMatchObject({ APP_HOST: `${app["id"]}_app_1`, APP_PORT: 3000 });
    expect(services.app).toMatchObject({ ...isolation, image: `${image}:1.2.3`, user: "1000:1000" });
    expect(services.app.volumes).toEqual(["${APP_DATA_DIR}/data:/data"]);
    expect(addressOf(services.app.environment)).toBe(`http://umbrel.local:${app["port"]}`);
  });
});

describe("CasaOS", () => {
  const file = parse(files["casaos-docker-compose.yml"]!) as {
    name: string;
    services: { app: Service };
    "x-casaos": Record<string, unknown>;
  };
  const { app } = file.services;
  const explained = (kind: "envs" | "ports" | "volumes") => app["x-casaos"]?.[kind].map(({ container }) => container);

  test("the CasaOS template of a release starts its image and publishes its port", () => {
    expect(app).toMatchObject({ ...isolation, image: `${image}:1.2.3` });
    expect(app.ports).toEqual([{ target: 3000, published: "3000", protocol: "tcp" }]);
    expect(file["x-casaos"]).toMatchObject({
      architectures: ["amd64", "arm64"],
      main: "app",
      port_map: "3000",
      icon,
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

describe("Compose", () => {
  const compose = parse(files["compose.yaml"]!) as { services: Readonly<Record<string, Service & { build?: object }>> };

  test("the Compose file of a release starts its image, and needs no clone to build one", () => {
    const services = Object.values(compose.services);
    expect(services.map((service) => service.image)).toEqual(Array(2).fill(`\${STAMMTISCH_IMAGE:-${image}:1.2.3}`));
    expect(services.filter(({ build }) => build)).toEqual([]);
    expect(files["compose.yaml"]).not.toContain("--build");
  });

  test("the server accepts the example settings of a release", () => {
    expect(addressOf(parseEnvironmentFile(files["env.example"]!))).toBe("https://stammtisch.example");
    expect(Object.values(files).filter((text) => /@[A-Z]+@/.test(text))).toEqual([]);
  });
});
