import type { ComponentType, ReactNode } from "react";

import { isAllowed, type PageAudience } from "./route-rules.ts";
import { useSession } from "./session.ts";

/** Something that runs beside the pages for users of this kind, e.g. a subscription to a channel. */
export interface BackgroundEffect {
  readonly name: string;
  readonly who: PageAudience;
  readonly Component: ComponentType;
}

/** A background effect that is a hook: its effect starts something and its clean-up ends that. */
export function createBackgroundEffect(name: string, who: PageAudience, useEffectHook: () => void): BackgroundEffect {
  function Component(): ReactNode {
    useEffectHook();
    return null;
  }
  return { name, who, Component };
}

/** Runs the effects that are meant for the current user, in their order. */
export function BackgroundEffects({ all }: { all: readonly BackgroundEffect[] }): ReactNode {
  const { user } = useSession();
  return all.filter(({ who }) => isAllowed(who, user)).map(({ name, Component }) => <Component key={name} />);
}
