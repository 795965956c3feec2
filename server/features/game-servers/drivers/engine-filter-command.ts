import { once } from "node:events";
import { resolve } from "node:path";

import { engineUrl } from "#server/config-values.ts";
import { type CommandWithoutDatabase, CommandUsageError } from "#server/platform/command.ts";
import { createLog } from "#server/platform/log.ts";
import { containerName } from "./docker.ts";
import { createEngineFilter } from "./engine-filter.ts";

export const engineFilterCommands: readonly CommandWithoutDatabase[] = [
  {
    name: "engine-filter",
    usage: "--engine URL --listen SOCKET --allow NAME…",
    description: "lets the app inspect, start and stop these containers, and nothing else",
    argCount: { min: 0, max: 1000 },
    ignoresDataDirectory: true,
    options: {
      engine: { type: "string" },
      listen: { type: "string" },
      // The names follow as arguments; without names, the filter refuses every container.
      allow: { type: "boolean" },
    },
    async runWithoutDatabase({ config, options, args }) {
      const { engine, listen, allow } = options;
      if (typeof engine !== "string" || typeof listen !== "string" || !allow)
        throw new CommandUsageError("Usage: stammtisch engine-filter --engine URL --listen SOCKET --allow NAME…");
      const unusable = args.find((name) => !containerName.test(name));
      if (unusable !== undefined) throw new CommandUsageError(`--allow: “${unusable}” is no name of a container.`);

      const setup = {
        engineUrl: readUrl(engine),
        socket: resolve(listen),
        names: args,
        log: createLog(config.logLevel),
      };
      const server = await createEngineFilter(setup);
      setup.log.info("engine-filter-listening", { socket: setup.socket, names: args });
      await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
      server.close();
      server.closeAllConnections();
      return { json: {}, text: "" };
    },
  },
];

function readUrl(text: string): string {
  const { data, error } = engineUrl.safeParse(text);
  if (data === undefined) throw new CommandUsageError(`--engine ${error.issues[0]!.message}`);
  return data;
}
