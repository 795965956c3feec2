import type { ComponentType, ReactNode } from "react";

import { isAllowed, type PageAudience } from "./route-rules.ts";
import { useSession } from "./session.ts";

/** Something that runs beside the pages while certain people are there, e.g. a channel that is listened to. */
export interface Companion {
  readonly name: string;
  readonly who: PageAudience;
  readonly Runner: ComponentType;
}

/** Makes a companion of a hook whose effect starts something and whose clean-up ends it. */
export function companion(name: string, who: PageAudience, useCompanion: () => void): Companion {
  function Runner(): ReactNode {
    useCompanion();
    return null;
  }
  return { name, who, Runner };
}

/** Runs the companions of whoever is there, in their order. */
export function Companions({ all }: { all: readonly Companion[] }): ReactNode {
  const { user } = useSession();
  return all.filter(({ who }) => isAllowed(who, user)).map(({ name, Runner }) => <Runner key={name} />);
}
