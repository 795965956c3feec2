import { lazy, Suspense, useState, type ReactNode } from "react";

import type { OpenedImages, OwnDoor } from "#contract/christmas-calendar.ts";
import { loadWithRetries } from "#web/platform/newer-version.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";
import { ownDoorsText } from "../rules.ts";
import pill from "./pill.module.css";

const OwnDoors = lazy(async () => {
  const { OwnDoors: component } = await loadWithRetries(() => import("./own-doors.tsx"));
  return { default: component };
});

export interface OwnDoorsProps {
  /** Doors that can be filled. */
  readonly doors: readonly OwnDoor[];
  /** Filled doors whose day has begun. */
  readonly begun: readonly OwnDoor[];
  readonly notices: OpenedImages["notices"];
}

/** Says whether the doors that the member fills need a picture, and opens them. */
export function OwnDoorsDialog(props: OwnDoorsProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const { doors, begun, notices } = props;
  const count = doors.length + begun.length;
  // It stays open with the last notice in it.
  if (count + notices.length === 0 && !isOpen) return null;
  return (
    <>
      {count + notices.length > 0 && (
        <button type="button" className={pill["pill"]} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {ownDoorsText(doors.length > 0 ? doors : begun, notices.length > 0)}
        </button>
      )}
      <Dialog title={count === 1 ? "Dein Türchen" : "Deine Türchen"} isOpen={isOpen} onClose={close}>
        {isOpen && (
          <Suspense fallback={<Skeleton lines={4} />}>
            <OwnDoors {...props} onClose={close} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
