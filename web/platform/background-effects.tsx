import type { ComponentType, ReactNode } from "react";

import { isAllowed, type PageAudience } from "./route-rules.ts";
import { useSession } from "./session.ts";

/** Something that runs beside the pages while certain people are there, e.g. a channel that is listened to. */
export interface BackgroundEffect {
  readonly name: string;
  readonly who: PageAudience;
  readonly Component: ComponentType;
}

/** Makes a companion of a hook whose effect starts something and whose clean-up ends it. */
export function createBackgroundEffect(name: string, who: PageAudience, useEffectHook: () => void): BackgroundEffect {
  function Runner(): ReactNode {
    useEffectHook();
    return null;
  }
  return { name, who, Component: Runner };
}

/** Runs the companions of whoever is there, in their order. */
export function BackgroundEffects({ all }: { all: readonly BackgroundEffect[] }): ReactNode {
  const { user } = useSession();
  return all.filter(({ who }) => isAllowed(who, user)).map(({ name, Component }) => <Component key={name} />);
}
