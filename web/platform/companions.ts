import { useEffect } from "react";

import { isAllowed, type PageAudience } from "./route-rules.ts";
import { useSession } from "./session.ts";

/** Something that runs beside the pages while certain members are logged in, e.g. a channel that is listened to. */
export interface Companion {
  readonly who: PageAudience;
  /** Starts it and returns how to stop it. */
  readonly begin: () => () => void;
}

/** Starts the companions of whoever is logged in, in their order; stops them when that changes. */
export function useCompanions(companions: readonly Companion[]): void {
  const { user } = useSession();
  const identity = user === null ? "" : `${user.id} ${user.permissions.join(" ")}`;
  useEffect(() => {
    const stops = companions.filter(({ who }) => isAllowed(who, user)).map(({ begin }) => begin());
    return () => {
      for (const stop of stops.reverse()) stop();
    };
    // A new name or picture is no reason to leave and join again.
  }, [companions, identity]);
}
