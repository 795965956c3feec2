import type { driverKinds } from "#contract/admin-game-servers.ts";
import type { Config } from "#server/config.ts";
import { commandDriver } from "./command.ts";
import { dockerDriver } from "./docker.ts";
import type { Driver } from "./driver.ts";
import { scriptDriver } from "./script.ts";
import { unitDriver } from "./unit.ts";

/** How a game server is run, as the command line and the database call it. */
export type DriverKind = (typeof driverKinds)[number];

export type Drivers = Readonly<Partial<Record<DriverKind, Driver>>>;

export function openDrivers(config: Config): Required<Drivers> {
  return {
    docker: dockerDriver(config),
    unit: unitDriver(),
    script: scriptDriver(),
    command: commandDriver(config),
  };
}
