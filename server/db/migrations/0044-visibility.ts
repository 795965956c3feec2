// One choice instead of three settings. A member who hid anything becomes at least quiet, and a member who paused and hid
// the page becomes hidden. A pause also turned off pushes and the name at calendar doors, which now have settings of their
// own.
import { sql, type Transaction } from "kysely";

import type { Migration } from "../load-migrations.ts";
import type { Tables } from "../schema.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .alterTable("users")
    .addColumn("visibility", "text", (column) => column.notNull().defaultTo("visible"))
    .execute();
  await sql`
    update users set visibility = case when is_paused = 1 and is_mat_shown = 0 then 'hidden' else 'quiet' end
    where is_shown = 0 or is_paused = 1 or is_mat_shown = 0
  `.execute(tx);
  await keepPausesQuiet(tx);
  // The previous release reads these columns while it runs beside this one.
  await sql`
    update users set is_paused = 1,
      is_shown = case visibility when 'hidden' then 0 else 1 end,
      is_mat_shown = case visibility when 'hidden' then 0 else 1 end
    where visibility <> 'visible'
  `.execute(tx);
};

async function keepPausesQuiet(tx: Transaction<Tables>): Promise<void> {
  const paused = sql`select id from users where is_paused = 1`;
  await sql`
    insert into notification_settings (user_id, beers, game_servers, calendar, party, sound)
    select id, 0, 1, 0, 0, 0 from users where is_paused = 1
    on conflict (user_id) do update set beers = 0, calendar = 0, party = 0
  `.execute(tx);
  await sql`update calendar_assignments set is_hidden = 1 where user_id in (${paused})`.execute(tx);
}
