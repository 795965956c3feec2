import { useMutation } from "@tanstack/react-query";

import { logout } from "#contract/auth.ts";
import { getOidcLogout } from "#contract/oidc.ts";
import { call } from "#web/client/api.ts";
import type { Client } from "#web/client/client.ts";
import { confirm } from "#web/page/confirm.tsx";
import { hideMessage } from "#web/page/messages.tsx";
import { usePageContext } from "#web/page/session.ts";
import { describeUnsent } from "./rules.ts";

/**
 * Ends at the home page, or at the OpenID provider if the session began there. Asks first if the outbox would be lost.
 */
export function useLogout(): () => void {
  const { client, endSession } = usePageContext();
  const { mutate } = useMutation({
    async mutationFn() {
      if (!(await mayDropOutbox(client))) return;
      const providerPage = await findProviderPage(client);
      await endSession(() => call(logout));
      // Shown to the member who has just logged out.
      hideMessage();
      if (providerPage !== null) location.assign(providerPage);
    },
  });
  return () => mutate();
}

/** Asks before unsent entries are lost, because nothing of a member stays in the browser. */
async function mayDropOutbox({ outbox }: Client): Promise<boolean> {
  if ((await outbox.flush()) === 0) return true;
  return confirm({ ...describeUnsent(outbox.entries.get()), action: "Verwerfen und abmelden" });
}

/** Returns `null` if this session did not begin there or the address could not be loaded. */
async function findProviderPage({ group }: Client): Promise<string | null> {
  if (group.get().oidc_label === undefined) return null;
  try {
    return (await call(getOidcLogout)).url;
  } catch {
    return null;
  }
}
