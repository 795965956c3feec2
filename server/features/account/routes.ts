import { deleteAccount as deleteAccountEndpoint, exportAccount, exportBeers } from "#contract/account.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Platform } from "#server/platform/platform.ts";
import { deleteAccount, writeAccount, writeBeers } from "./actions.ts";

const personal = { "cache-control": "no-store", vary: "Cookie" };

export function addAccountRoutes(platform: Platform): void {
  const { door } = platform;

  handle(door, exportAccount, async ({ member, reply }) => {
    const document = await writeAccount(platform, member);
    reply.headers({ ...personal, "content-disposition": 'attachment; filename="stammtisch.json"' });
    return document;
  });

  handle(door, exportBeers, async ({ member, reply }) => {
    const table = await writeBeers(platform, member);
    reply.headers({ ...personal, "content-disposition": 'attachment; filename="biere.csv"' });
    return table;
  });

  handle(door, deleteAccountEndpoint, async ({ member, body, reply }) => {
    await deleteAccount(platform, member, body);
    door.cookies.clear(reply);
    reply.header("clear-site-data", '"cache"');
    return { message: "Dein Konto ist gelöscht. Mach’s gut!" };
  });
}
