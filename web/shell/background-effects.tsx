import type { ComponentType, ReactNode } from "react";

import type { PageAudience } from "#contract/built-pages.ts";
import { isAllowed } from "#web/router/route-rules.ts";
import { useSession } from "#web/session/session.ts";

/**
 * A component without output, e.g. for a subscription, that is mounted beside every page if the
 * visitor belongs to its audience.
 */
export interface BackgroundEffect {
  readonly name: string;
  readonly who: PageAudience;
  readonly Component: ComponentType;
}

/** Creates a background effect from a hook. */
export function createBackgroundEffect(name: string, who: PageAudience, useEffectHook: () => void): BackgroundEffect {
  function Component(): ReactNode {
    useEffectHook();
    return null;
  }
  return { name, who, Component };
}

/**
 * Mounts the background effects that the current visitor is allowed to have, in the given order.
 */
export function BackgroundEffects({ all }: { all: readonly BackgroundEffect[] }): ReactNode {
  const { user } = useSession();
  return all.filter(({ who }) => isAllowed(who, user)).map(({ name, Component }) => <Component key={name} />);
}
