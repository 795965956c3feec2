import { lazy, Suspense, useState, type ReactNode } from "react";

import type { OwnDoor } from "#contract/christmas-calendar.ts";
import { loadWithRetries } from "#web/platform/newer-version.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";
import { useOwnDoors } from "../queries.ts";
import { ownDoorsText } from "../rules.ts";
import pill from "./pill.module.css";

const OwnDoors = lazy(async () => {
  const { OwnDoors: component } = await loadWithRetries(() => import("./own-doors.tsx"));
  return { default: component };
});

/** Says whether the doors that the member fills need a picture, and opens them. */
export function OwnDoorsDialog({ doors, today }: { doors: readonly OwnDoor[]; today: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const asking = useOwnDoors(true).data?.offers[0]?.by.name;
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" className={pill["pill"]} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {asking === undefined ? ownDoorsText(doors) : `${asking} möchte mit dir tauschen.`}
      </button>
      <Dialog
        title={doors.length === 1 ? "Dein Türchen" : "Deine Türchen"}
        isOpen={isOpen}
        onClose={close}
        footer={<Button onClick={close}>Fertig</Button>}
      >
        {isOpen && (
          <Suspense fallback={<Skeleton lines={4} />}>
            <OwnDoors doors={doors} today={today} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
