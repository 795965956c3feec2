import { useState, type ReactNode } from "react";

import type { Endpoint } from "#contract/endpoint.ts";
import { DialogForm } from "#web/platform/dialog-form.tsx";
import { ShareLink } from "#web/platform/share-link.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

interface ShownLink {
  readonly url: string;
  /** For whom, how long and how often it is good. */
  readonly note: ReactNode;
}

interface OneTimeLinkFormProps {
  /** Which endpoint the fields are for. */
  readonly endpoint: Endpoint;
  /** What is handed over: "Einladung". */
  readonly linkTitle: string;
  readonly onCreate: (values: FormData) => Promise<ShownLink>;
  readonly onClose: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

interface OneTimeLinkDialogProps extends OneTimeLinkFormProps {
  readonly title: string;
  readonly isOpen: boolean;
}

/** Makes a link and shows it, once. */
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
