import { lazy, Suspense, type ReactNode } from "react";

import { useDrawnDoors } from "../live.ts";

/** Fetched by the first drawn door, and left out where it cannot be fetched. */
const DrawnDoorsCard = lazy(async () => {
  const code = await import("./drawn-doors-card.tsx").catch(() => null);
  return { default: code?.DrawnDoorsCard ?? (() => null) };
});

/** Shows on every page which doors a lottery has given to the member. */
export function DrawnDoors(): ReactNode {
  const { drawn, onClose } = useDrawnDoors();
  if (drawn.length === 0) return null;
  return (
    <Suspense>
      <DrawnDoorsCard dates={drawn} onClose={onClose} />
    </Suspense>
  );
}
