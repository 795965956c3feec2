import type { driverKinds } from "#contract/admin-game-servers.ts";
import type { Config } from "#server/config.ts";
import { createCommandDriver } from "./command.ts";
import { createDockerDriver } from "./docker.ts";
import type { Driver } from "./driver.ts";
import { createScriptDriver } from "./script.ts";
import { createUnitDriver } from "./unit.ts";

/** How a game server is run, as the command line and the database call it. */
export type DriverKind = (typeof driverKinds)[number];

export type Drivers = Readonly<Partial<Record<DriverKind, Driver>>>;

const created = new WeakMap<Config, Drivers>();

/** The drivers of an installation, created once. */
export function driversFor(config: Config): Drivers {
  const drivers = created.get(config) ?? {
    docker: createDockerDriver(config),
    unit: createUnitDriver(),
    script: createScriptDriver(config),
    command: createCommandDriver(config),
  };
  created.set(config, drivers);
  return drivers;
}
