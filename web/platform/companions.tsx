import type { ReactNode } from "react";

import { isAllowed, type PageAudience } from "./route-rules.ts";
import { useSession } from "./session.ts";

/** Something that runs beside the pages while certain people are there, e.g. a channel that is listened to. */
export interface Companion {
  readonly name: string;
  readonly who: PageAudience;
  /** Starts with an effect and stops with its end. */
  readonly useCompanion: () => void;
}

/** Runs the companions of whoever is there, in their order. */
export function Companions({ all }: { all: readonly Companion[] }): ReactNode {
  const { user } = useSession();
  return all
    .filter(({ who }) => isAllowed(who, user))
    .map(({ name, useCompanion }) => <Runner key={name} useCompanion={useCompanion} />);
}

function Runner({ useCompanion }: Pick<Companion, "useCompanion">): ReactNode {
  useCompanion();
  return null;
}
