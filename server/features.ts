import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { Feature } from "./platform/feature.ts";
import { formerTables, platformTables, type TablePolicies } from "./platform/table-policy.ts";

export interface NamedFeature extends Feature {
  /** The name of its folder. */
  readonly name: string;
}

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
  const entries = readdirSync(join(import.meta.dirname, "features"), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(names.toSorted().map(loadFeature));
}

async function loadFeature(name: string): Promise<NamedFeature> {
  const { feature } = (await import(`./features/${name}/feature.ts`)) as { feature?: Feature };
  if (!feature) throw new Error(`server/features/${name}/feature.ts has to export \`feature\`.`);
  return { name, ...feature };
}
