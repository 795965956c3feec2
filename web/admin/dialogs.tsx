import { useState, type ReactNode } from "react";

import { ShareLink } from "#web/page/share-link.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

interface EntityDialogProps<Entity> {
  readonly entity: Entity | null;
  readonly title: (entity: Entity) => string;
  readonly onClose: () => void;
  readonly children: (entity: Entity) => ReactNode;
}

export function EntityDialog<Entity>({ entity, title, onClose, children }: EntityDialogProps<Entity>): ReactNode {
  return (
    <Dialog title={entity === null ? "" : title(entity)} isOpen={entity !== null} onClose={onClose}>
      {entity !== null && children(entity)}
    </Dialog>
  );
}

export interface ShownLink {
  readonly url: string;
  readonly note: ReactNode;
}

interface OneTimeLinkDialogProps {
  readonly title: string;
  /** E.g. "Einladung". */
  readonly linkTitle: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: (show: (link: ShownLink) => void) => ReactNode;
}

export function OneTimeLinkDialog({ title, isOpen, ...content }: OneTimeLinkDialogProps): ReactNode {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={content.onClose}>
      <OneTimeLink {...content} />
    </Dialog>
  );
}

function OneTimeLink({ linkTitle, onClose, children }: Omit<OneTimeLinkDialogProps, "title" | "isOpen">): ReactNode {
  const [link, setLink] = useState<ShownLink | null>(null);
  if (link === null) return children(setLink);
  return (
    <ShareLink url={link.url} title={linkTitle} onClose={onClose}>
      {link.note}
    </ShareLink>
  );
}
