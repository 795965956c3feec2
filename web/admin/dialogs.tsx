import { useState, type ReactNode } from "react";

import type { Endpoint } from "#contract/endpoint.ts";
import { DialogForm } from "#web/forms/dialog-form.tsx";
import { ShareLink } from "#web/shell/share-link.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

interface EntityDialogProps<Entity> {
  /** `null` while the dialog is closed. */
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

interface ShownLink {
  readonly url: string;
  readonly note: ReactNode;
}

interface OneTimeLinkFormProps {
  readonly endpoint: Endpoint;
  /** E.g. "Einladung". */
  readonly linkTitle: string;
  readonly onCreate: (values: FormData) => Promise<ShownLink>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

interface OneTimeLinkDialogProps extends OneTimeLinkFormProps {
  readonly title: string;
  readonly isOpen: boolean;
}

/** A dialog with a form that creates a link, and then shows the link once. */
export function OneTimeLinkDialog({ title, isOpen, ...form }: OneTimeLinkDialogProps): ReactNode {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={form.onClose}>
      <OneTimeLinkForm {...form} />
    </Dialog>
  );
}

function OneTimeLinkForm({ endpoint, linkTitle, onCreate, onClose, children }: OneTimeLinkFormProps): ReactNode {
  const [link, setLink] = useState<ShownLink | null>(null);
  if (link !== null) {
    return (
      <ShareLink url={link.url} title={linkTitle} onClose={onClose}>
        {link.note}
      </ShareLink>
    );
  }
  return (
    <DialogForm
      endpoint={endpoint}
      action="Link machen"
      onSend={async (values) => setLink(await onCreate(values))}
      onClose={onClose}
    >
      {children}
    </DialogForm>
  );
}
