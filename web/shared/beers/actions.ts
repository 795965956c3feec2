import { removeBeer } from "#contract/beercounter.ts";
import { callWithHeaders } from "#web/data/api.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { isReplay, reloadOwnBeers } from "./queries.ts";
import { alreadyUndoneText, undoneText } from "./rules.ts";

/** Undoes a beer that was booked without a key, e.g. by another program. */
export async function removeBeerById(id: number): Promise<void> {
  try {
    const { headers } = await callWithHeaders(removeBeer, { params: { id } });
    showFlash({ type: "info", text: isReplay(headers) ? alreadyUndoneText : undoneText });
  } finally {
    reloadOwnBeers();
  }
}
