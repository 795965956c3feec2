import { lazy, Suspense, type ReactNode } from "react";

import { useDrawnDoors } from "../live.ts";

/**
 * Loaded lazily once the member has drawn a door in a lottery; renders nothing if loading fails.
 */
const DrawnDoorsCard = lazy(async () => {
  const code = await import("./drawn-doors-card.tsx").catch(() => null);
  return { default: code?.DrawnDoorsCard ?? (() => null) };
});

/** Shows the doors that the member drew in a lottery. Mounted on every page. */
export function DrawnDoors(): ReactNode {
  const { drawn, onClose } = useDrawnDoors();
  if (drawn.length === 0) return null;
  return (
    <Suspense>
      <DrawnDoorsCard dates={drawn} onClose={onClose} />
    </Suspense>
  );
}
