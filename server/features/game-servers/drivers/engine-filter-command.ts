import { once } from "node:events";
import { resolve } from "node:path";

import { BadValue, engineUrl } from "#server/config-values.ts";
import { type BareCommand, CommandRefusedError, CommandUsageError } from "#server/platform/command.ts";
import { openLog } from "#server/platform/log.ts";
import { containerName } from "./docker.ts";
import { openEngineFilter, PlaceTakenError } from "./engine-filter.ts";

export const engineFilterCommands: readonly BareCommand[] = [
  {
    name: "engine-filter",
    usage: "--engine URL --listen SOCKET --allow NAME…",
    does: "lets the app look at, start and stop these containers, and nothing else",
    words: { min: 0, max: 1000 },
    needsNoData: true,
    options: {
      engine: { type: "string" },
      listen: { type: "string" },
      // The names are plain words after it, so that it may also stand alone: nothing is allowed then.
      allow: { type: "boolean" },
    },
    async runBare({ config, options, words }) {
      const { engine, listen, allow } = options;
      if (typeof engine !== "string" || typeof listen !== "string" || !allow)
        throw new CommandUsageError("Usage: stammtisch engine-filter --engine URL --listen SOCKET --allow NAME…");
      const unusable = words.find((name) => !containerName.test(name));
      if (unusable !== undefined) throw new CommandUsageError(`--allow: “${unusable}” is no name of a container.`);

      const setup = {
        engineUrl: readUrl(engine),
        socket: resolve(listen),
        names: words,
        log: openLog(config.logLevel),
      };
      const server = await openEngineFilter(setup).catch((error: unknown) => {
        if (!(error instanceof PlaceTakenError)) throw error;
        throw new CommandRefusedError(`--listen: there is something else at ${setup.socket}.`);
      });
      setup.log.info("engine-filter-listening", { socket: setup.socket, names: words });
      await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
      server.close();
      server.closeAllConnections();
      return { json: {}, text: "" };
    },
  },
];

function readUrl(text: string): string {
  try {
    return engineUrl(text);
  } catch (error) {
    if (error instanceof BadValue) throw new CommandUsageError(`--engine ${error.message}`);
    throw error;
  }
}
