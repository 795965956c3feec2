import { removeBeer } from "#contract/beercounter.ts";
import { callWithHeaders } from "#web/data/api.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { isReplay, reloadOwnBeers } from "./queries.ts";
import { alreadyUndoneText, undoneText } from "./rules.ts";

/**
 * Undoes a booked beer by its server id, for beers without an idempotency key, e.g. from another
 * program.
 */
export async function removeBeerById(id: number): Promise<void> {
  try {
    const { headers } = await callWithHeaders(removeBeer, { params: { id } });
    showFlash({ type: "info", text: isReplay(headers) ? alreadyUndoneText : undoneText });
  } finally {
    reloadOwnBeers();
  }
}
