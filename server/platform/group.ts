import * as z from "zod/mini";

import { type GroupSettings, groupSettings } from "#contract/group.ts";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connect.ts";
import type { Bus } from "./realtime/bus.ts";
import * as settingsStore from "./settings/store.ts";

export type Group = ReturnType<typeof createGroup>;

const chosenSettings = z.partial(groupSettings);

/** Group settings are configured values, which administrators can override. */
export function createGroup({
  config,
  db,
  bus,
}: {
  config: Config;
  db: Db;
  bus: Pick<Bus, "onGap" | "onMessage" | "send">;
}) {
  const { groupName, groupShort, legalLinks } = config;
  const configured: GroupSettings = { group_name: groupName, group_short: groupShort, legal_links: [...legalLinks] };
  let last = configured;
  let reads = 0;
  let lastRead = 0;

  /** Without `tx`, returns the last known settings if the database is unavailable. */
  async function settings(tx?: Db): Promise<GroupSettings> {
    const read = ++reads;
    try {
      const chosen = chosenSettings.parse(JSON.parse((await settingsStore.findSetting(tx ?? db, "group")) ?? "{}"));
      // A later read has already finished, so this result may be stale.
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
  bus.onMessage((message) => message.kind === "feature" && message.feature === "group" && settings());

  return {
    configured,
    settings,
    /** Settings as last read, without a query. They are read again after a change by another process. */
    known: () => last,
    /** Stores only settings that differ from the configuration. All processes read them again after the commit. */
    async update(tx: Db, wanted: GroupSettings): Promise<void> {
      const chosen = Object.entries(wanted).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(configured[field as keyof GroupSettings]),
      );
      await settingsStore.writeSetting(tx, "group", JSON.stringify(Object.fromEntries(chosen)));
      await bus.send(tx, { kind: "feature", feature: "group", data: {} });
    },
  };
}
