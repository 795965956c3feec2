import * as z from "zod/mini";

import { type GroupWords, groupWords } from "#contract/admin-group.ts";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connect.ts";
import { findSetting, writeSetting } from "./settings/store.ts";

/** The group's settings: those of the configuration, overridden by what administrators changed. */
export interface Group {
  /** The settings of the configuration. */
  readonly configured: GroupWords;
  /**
   * The current settings. Pass `tx` inside a transaction. While the database is unavailable, the last known settings.
   */
  settings(tx?: Db): Promise<GroupWords>;
  /** Stores the settings that differ from the configuration. */
  update(tx: Db, wanted: GroupWords): Promise<void>;
}

const chosenSettings = z.partial(groupWords);

export function createGroup({ config, db }: { config: Config; db: Db }): Group {
  const { groupName, groupShort, legalLinks } = config;
  const configured: GroupWords = { group_name: groupName, group_short: groupShort, legal_links: [...legalLinks] };
  let last = configured;

  return {
    configured,
    async settings(tx) {
      try {
        const chosen = chosenSettings.parse(JSON.parse((await findSetting(tx ?? db, "group")) ?? "{}"));
        last = {
          group_name: chosen.group_name ?? configured.group_name,
          group_short: chosen.group_short ?? configured.group_short,
          legal_links: chosen.legal_links ?? configured.legal_links,
        };
      } catch (error) {
        if (tx) throw error;
      }
      return last;
    },
    async update(tx, wanted) {
      const chosen = Object.entries(wanted).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(configured[field as keyof GroupWords]),
      );
      await writeSetting(tx, "group", JSON.stringify(Object.fromEntries(chosen)));
    },
  };
}
