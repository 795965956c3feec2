import { lazy, Suspense, useState, type ReactNode } from "react";

import { dayNumber } from "#contract/christmas-calendar.ts";
import { loadWithRetries } from "#web/pwa/newer-version.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";
import { useOwnDoors } from "../queries.ts";
import { ownDoorsText } from "../rules.ts";
import type { OwnDoorsProps } from "./own-doors.tsx";
import { Pill } from "./pill.tsx";

const OwnDoors = lazy(async () => {
  const { OwnDoors: component } = await loadWithRetries(() => import("./own-doors.tsx"));
  return { default: component };
});

/** Button that describes the state of the member's doors and opens a dialog with these doors. */
export function OwnDoorsDialog(props: OwnDoorsProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<string | null>(null);
  const close = (): void => {
    setOpen(false);
    setEdited(null);
  };
  const { doors, begun, notices } = props;
  const asking = useOwnDoors(true).data?.offers[0]?.by.name;
  const count = doors.length + begun.length;
  const title = count === 1 ? "Dein Türchen" : "Deine Türchen";
  // An open dialog stays open after its last notice is dismissed.
  if (count + notices.length === 0 && !isOpen) return null;
  return (
    <>
      {count + notices.length > 0 && (
        <Pill aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {asking === undefined
            ? ownDoorsText(doors.length > 0 ? doors : begun, notices.length > 0)
            : `${asking} möchte mit dir tauschen.`}
        </Pill>
      )}
      <Dialog title={edited === null ? title : `Türchen ${dayNumber(edited)}`} isOpen={isOpen} onClose={close}>
        {isOpen && (
          <Suspense fallback={<Skeleton lines={4} />}>
            <OwnDoors {...props} edited={edited} onEdit={setEdited} onClose={close} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
