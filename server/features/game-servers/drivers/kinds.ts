import type { Config } from "#server/config.ts";
import type { Driver } from "./driver.ts";

/** How a game server is run, as the command line and the database call it. */
export type DriverKind = "docker" | "unit" | "script" | "command";

export type Drivers = Readonly<Partial<Record<DriverKind, Driver>>>;

export function openDrivers(_config: Config): Drivers {
  return {};
}
