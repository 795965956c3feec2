import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { Feature } from "./platform/feature.ts";
import { formerTables, platformTables, type TablePolicies } from "./platform/table-policy.ts";

export interface NamedFeature extends Feature {
  /** The name of its folder. */
  readonly name: string;
}

/** What the server takes from the files of a feature, by their names. */
const exportsOfFiles: Readonly<Record<string, readonly (keyof Feature)[]>> = {
  "tables.ts": ["tables"],
  "routes.ts": ["addRoutes", "channels", "userItems"],
  "jobs.ts": ["jobs", "onUpgrade", "onListen", "onClose"],
  "commands.ts": ["commands"],
  "export.ts": ["accountExport"],
  "demo.ts": ["seedDemo"],
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
  const found = readdirSync(join(folder, name)).filter((file) => file in exportsOfFiles);
  const modules = await Promise.all(found.map((file) => loadFile(`${name}/${file}`, exportsOfFiles[file]!)));
  return Object.assign({ name }, ...modules);
}

/** The exports of a file. Others than the server takes would be forgotten here. */
async function loadFile(path: string, expected: readonly string[]): Promise<Feature> {
  const exported = (await import(`./features/${path}`)) as Feature;
  const unknown = Object.keys(exported).find((one) => !expected.includes(one));
  if (unknown)
    throw new Error(`server/features/${path} exports ${unknown}; the server takes ${expected.join(", ")} from there.`);
  return exported;
}
