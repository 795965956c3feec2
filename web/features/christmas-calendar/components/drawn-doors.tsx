import { lazy, Suspense, type ReactNode } from "react";

import { useDrawnDoors } from "../live.ts";

/** Loaded with the first drawn door; renders nothing if that fails. */
const DrawnDoorsCard = lazy(async () => {
  const code = await import("./drawn-doors-card.tsx").catch(() => null);
  return { default: code?.DrawnDoorsCard ?? (() => null) };
});

/** Shows on every page the doors that the member drew in a lottery. */
export function DrawnDoors(): ReactNode {
  const { drawn, onClose } = useDrawnDoors();
  if (drawn.length === 0) return null;
  return (
    <Suspense>
      <DrawnDoorsCard dates={drawn} onClose={onClose} />
    </Suspense>
  );
}
