import type { ReactNode } from "react";

import { FullScreenMessage } from "./full-screen-message.tsx";

/** Before a link was opened on this television, or after it was revoked. */
export function NoTvLink({ isRevoked }: { isRevoked: boolean }): ReactNode {
  return isRevoked ? (
    <FullScreenMessage title="Dieser Link gilt nicht mehr">
      In der Verwaltung unter „Fernseher“ gibt es einen neuen. Öffne ihn hier, dann geht es weiter.
    </FullScreenMessage>
  ) : (
    <FullScreenMessage title="Hier fehlt noch der Link">
      Wer die Verwaltung hat, macht unter „Fernseher“ einen Link. Öffne ihn auf diesem Bildschirm, dann steht hier, was
      getrunken wird.
    </FullScreenMessage>
  );
}
