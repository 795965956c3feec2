import { Suspense, use, type ComponentType, type ReactNode } from "react";

import { reloadForNewerVersion } from "./newer-version.ts";
import { isAllowed, type PageAudience } from "./route-rules.ts";
import { useSession } from "./session.ts";

/** Something that runs beside the pages for users of this kind, e.g. a subscription to a channel. Its code is fetched for them only. */
export interface BackgroundEffect {
  readonly name: string;
  readonly who: PageAudience;
  load(): Promise<ComponentType>;
}

/** How long it takes to the next try after the code of an effect could not be fetched, in milliseconds. */
const retryDelay = 5000;

/** A background effect that shows something. */
export function createBackgroundEffect(
  name: string,
  who: PageAudience,
  load: () => Promise<ComponentType>,
): BackgroundEffect {
  let loading: Promise<ComponentType> | undefined;
  return { name, who, load: () => (loading ??= loadPatiently(load)) };
}

/** A background effect that is a hook: its effect starts something and its clean-up ends that. */
export function createBackgroundHook(
  name: string,
  who: PageAudience,
  load: () => Promise<() => void>,
): BackgroundEffect {
  return createBackgroundEffect(name, who, async () => {
    const useEffectHook = await load();
    return function Component() {
      useEffectHook();
      return null;
    };
  });
}

/** Runs the effects that are meant for the current user, in their order. */
export function BackgroundEffects({ all }: { all: readonly BackgroundEffect[] }): ReactNode {
  const { user } = useSession();
  return all
    .filter(({ who }) => isAllowed(who, user))
    .map((effect) => (
      <Suspense key={effect.name}>
        <LoadedEffect effect={effect} />
      </Suspense>
    ));
}

function LoadedEffect({ effect }: { effect: BackgroundEffect }): ReactNode {
  const Component = use(effect.load());
  return <Component />;
}

/** Tries until the code is there: taps wait for it, too. */
async function loadPatiently(load: () => Promise<ComponentType>): Promise<ComponentType> {
  for (;;) {
    try {
      return await load();
    } catch {
      await reloadForNewerVersion();
      await new Promise((resolve) => setTimeout(resolve, retryDelay));
    }
  }
}
