import type { ReactNode } from "react";

import { Dialog } from "#web/ui/dialog.tsx";

interface EntityDialogProps<Entity> {
  /** The entity that the dialog is about; `null` while the dialog is closed. */
  readonly entity: Entity | null;
  readonly title: (entity: Entity) => string;
  readonly onClose: () => void;
  readonly children: (entity: Entity) => ReactNode;
}

/** A dialog about one entity of a list. */
export function EntityDialog<Entity>({ entity, title, onClose, children }: EntityDialogProps<Entity>): ReactNode {
  return (
    <Dialog title={entity === null ? "" : title(entity)} isOpen={entity !== null} onClose={onClose}>
      {entity !== null && children(entity)}
    </Dialog>
  );
}
