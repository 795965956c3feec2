import { lazy, Suspense, useState, type ReactNode } from "react";

import { useFlash, useOpenDialog } from "#web/shell/flash.tsx";
import { useDrawnDoors } from "../live.ts";

/**
 * Loaded lazily once the member has drawn a door in a lottery; renders nothing if loading fails.
 */
const DrawnDoorsCard = lazy(async () => {
  const code = await import("./drawn-doors-card.tsx").catch(() => null);
  return { default: code?.DrawnDoorsCard ?? (() => null) };
});

/**
 * Shows the doors that the member drew in a lottery. Mounted on every page. Waits until no dialog or
 * flash message is open, because the card would cover it.
 */
export function DrawnDoors(): ReactNode {
  const { drawn, onClose } = useDrawnDoors();
  const flash = useFlash();
  const dialog = useOpenDialog();
  const isFree = flash === null && dialog === undefined;
  const [isShown, setShown] = useState(false);
  const hasDrawn = drawn.length > 0;
  if (isShown !== (hasDrawn && (isShown || isFree))) setShown(!isShown);
  if (!isShown) return null;
  return (
    <Suspense>
      <DrawnDoorsCard dates={drawn} onClose={onClose} />
    </Suspense>
  );
}
