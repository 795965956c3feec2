import type { driverKinds } from "#contract/game-servers.ts";
import type { Config } from "#server/config.ts";
import { createCommandDriver } from "./command.ts";
import { createDockerDriver } from "./docker.ts";
import type { Driver } from "./driver.ts";
import { createScriptDriver } from "./script.ts";
import { createUnitDriver } from "./unit.ts";

export type DriverKind = (typeof driverKinds)[number];

export type Drivers = Readonly<Partial<Record<DriverKind, Driver>>>;

export function createDrivers(config: Config): Drivers {
  return {
    docker: createDockerDriver(config),
    unit: createUnitDriver(),
    script: createScriptDriver(config),
    command: createCommandDriver(config),
  };
}
