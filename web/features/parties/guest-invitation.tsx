import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { getGuestLink, switchGuestLink } from "#contract/guest-device.ts";
import type { ShownParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys } from "#web/features/beers/api.ts";
import { partyPath } from "#web/features/beers/party-rules.ts";
import { ShareLink } from "#web/page/share-link.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";

interface GuestInvitationProps {
  readonly party: Pick<ShownParty, "id" | "is_member" | "is_manager" | "is_open_to_guests">;
  readonly onClose: () => void;
}

/** One link for members and strangers. */
export function GuestInvitation({ party, onClose }: GuestInvitationProps): ReactNode {
  const { id, is_member, is_manager, is_open_to_guests } = party;
  const queries = useQueryClient();
  const query = useQuery({
    // Reloaded with the parties, but none of their queries.
    queryKey: ["parties", "guest-link", id, is_open_to_guests],
    queryFn: ({ signal }) => call(getGuestLink, { params: { id }, signal }),
    placeholderData: keepPreviousData,
  });
  const { mutate, isPending } = useMutation({
    mutationFn: async (is_open: boolean) => {
      await call(switchGuestLink, { params: { id }, body: { is_open } });
      await reload(queries, ...partyKeys);
    },
  });
  const isLoading = query.isPending && query.fetchStatus === "fetching";
  // Offline, the link is for members only.
  const secret = query.data?.secret ?? null;
  return (
    <Stack>
      {is_manager && is_member && (
        <Switch
          label="Gäste per QR-Code"
          hint={
            is_open_to_guests
              ? "Auch wer keinen Account hat, kommt mit diesem Code dazu."
              : "Der Code gilt nur für Mitglieder. Gäste, die schon da sind, bleiben."
          }
          isOn={is_open_to_guests}
          disabled={isPending}
          onChange={mutate}
        />
      )}
      {isLoading ? (
        <Skeleton lines={3} />
      ) : (
        <ShareLink
          url={new URL(partyPath(id) + (secret === null ? "" : `#token=${secret}`), location.origin).href}
          title="Party"
          onClose={onClose}
        >
          <p>
            {secret === null
              ? "Wer Mitglied ist und den Link öffnet, kommt mit „Dabei sein“ dazu."
              : "Für Mitglieder und Gäste. Ein Gast nennt seinen Vornamen und macht seine Striche selbst."}
          </p>
        </ShareLink>
      )}
    </Stack>
  );
}
