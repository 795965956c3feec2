import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import type { Feature } from "./platform/feature.ts";
import { formerTables, platformTables, type TablePolicies } from "./platform/table-policy.ts";

export interface NamedFeature extends Feature {
  /** The name of its folder. */
  readonly name: string;
}

/** What the server takes from the files of a feature, by their names. */
const exportsOfFiles: Readonly<Record<string, readonly (keyof Feature)[]>> = {
  tables: ["tables"],
  routes: ["addRoutes", "channels", "userItems"],
  jobs: ["jobs", "onUpgrade", "onListen", "onClose"],
  commands: ["commands"],
  export: ["accountExport"],
  demo: ["seedDemo"],
};

const folder = join(import.meta.dirname, "features");

/** Every folder of server/features, by name. */
export const features: readonly NamedFeature[] = await loadFeatures();

/** Every table of the platform and the features, and every former one. */
export const tables: TablePolicies = Object.assign(
  {},
  platformTables,
  formerTables,
  ...features.map((feature) => feature.tables),
);

async function loadFeatures(): Promise<NamedFeature[]> {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(names.toSorted().map(loadFeature));
}

async function loadFeature(name: string): Promise<NamedFeature> {
  const files = Object.keys(exportsOfFiles).filter((file) => existsSync(join(folder, name, `${file}.ts`)));
  return Object.assign({ name }, ...(await Promise.all(files.map((file) => loadFile(name, file)))));
}

async function loadFile(name: string, file: string): Promise<Feature> {
  const exported = (await import(`./features/${name}/${file}.ts`)) as Feature;
  assertTaken(exported, file, name);
  return exported;
}

/** Throws where a file exports what the server does not take, and would forget. */
export function assertTaken(exported: object, file: string, feature: string): void {
  const taken: readonly string[] = exportsOfFiles[file]!;
  const unknown = Object.keys(exported).find((name) => !taken.includes(name));
  if (unknown)
    throw new Error(
      `server/features/${feature}/${file}.ts exports ${unknown}; the server takes ${taken.join(", ")} from there.`,
    );
}
