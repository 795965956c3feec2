import { globSync } from "node:fs";
import { join } from "node:path";

import type { ExampleCall, ExampleCalls } from "./example-call.ts";
import type { TestApp } from "./test-app.ts";

/** The exports of a file in test/contract. */
interface ContractModule {
  readonly exampleCalls?: ExampleCalls;
  /** The fields that the feature adds to a member's data export; `[]` stands for the items of a list. */
  readonly exportedFields?: readonly string[];
  /** Inserts the data that the example calls need; the members of test/actors.ts exist already. */
  createContractFixtures?(app: TestApp): Promise<void>;
}

const root = join(import.meta.dirname, "..");
const modules: readonly ContractModule[] = await Promise.all(
  globSync("test/contract/*.ts", { cwd: root })
    .toSorted()
    .map(async (path) => (await import(join(root, path))) as ContractModule),
);

/** The example calls of all files in test/contract. */
export const exampleCalls: Readonly<Record<string, ExampleCall>> = Object.assign(
  {},
  ...modules.map((module) => module.exampleCalls ?? {}),
);

/** The fields of a member's data export. */
export const exportedFields = modules.flatMap((module) => module.exportedFields ?? []);

export async function insertContractFixtures(app: TestApp): Promise<void> {
  for (const { createContractFixtures } of modules) await createContractFixtures?.(app);
}
