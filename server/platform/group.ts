import * as z from "zod/mini";

import { type GroupSettings, groupSettings } from "#contract/admin-group.ts";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connect.ts";
import type { Bus } from "./realtime/bus.ts";
import { findSetting, writeSetting } from "./settings/store.ts";

export type Group = ReturnType<typeof createGroup>;

const chosenSettings = z.partial(groupSettings);

/** The group's settings: those of the configuration, overridden by what administrators changed. */
export function createGroup({ config, db, bus }: { config: Config; db: Db; bus: Bus }) {
  const { groupName, groupShort, legalLinks } = config;
  const configured: GroupSettings = { group_name: groupName, group_short: groupShort, legal_links: [...legalLinks] };
  let last = configured;
  let reads = 0;
  let lastRead = 0;

  /** The current settings. Pass `tx` inside a transaction. While the database is unavailable, the last known settings. */
  async function settings(tx?: Db): Promise<GroupSettings> {
    const read = ++reads;
    try {
      const chosen = chosenSettings.parse(JSON.parse((await findSetting(tx ?? db, "group")) ?? "{}"));
      // A read that was overtaken by a later one may be older than that one.
      if (read < lastRead) return last;
      lastRead = read;
      last = {
        group_name: chosen.group_name ?? configured.group_name,
        group_short: chosen.group_short ?? configured.group_short,
        legal_links: chosen.legal_links ?? configured.legal_links,
      };
    } catch (error) {
      if (tx) throw error;
    }
    return last;
  }

  bus.onGap(() => void settings());
  bus.onMessage((message) => {
    if (message.kind === "feature" && message.feature === "group") void settings();
  });

  return {
    /** The settings of the configuration. */
    configured,
    settings,
    /** The last known settings, without waiting for the database: changes of other processes arrive through the bus. */
    known: () => last,
    /** Tells every process of a change, after its commit. */
    async changed(): Promise<void> {
      await settings();
      void bus.send({ kind: "feature", feature: "group", data: {} });
    },
    /** Stores the settings that differ from the configuration. */
    async update(tx: Db, wanted: GroupSettings): Promise<void> {
      const chosen = Object.entries(wanted).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(configured[field as keyof GroupSettings]),
      );
      await writeSetting(tx, "group", JSON.stringify(Object.fromEntries(chosen)));
    },
  };
}
