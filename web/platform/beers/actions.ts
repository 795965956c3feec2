import { removeBeer } from "#contract/beercounter.ts";
import { callWithHeaders } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { isReplay, reloadOwnBeers } from "./queries.ts";
import { alreadyUndoneText, undoneText } from "./rules.ts";

/** Takes a beer back that came without a key, say from another program. */
export async function removeBeerById(id: number): Promise<void> {
  try {
    const { headers } = await callWithHeaders(removeBeer, { params: { id } });
    showFlash({ type: "info", text: isReplay(headers) ? alreadyUndoneText : undoneText });
  } finally {
    reloadOwnBeers();
  }
}
