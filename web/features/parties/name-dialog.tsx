import type { ReactNode } from "react";

import type { Endpoint } from "#contract/endpoint.ts";
import { partyLimits } from "#contract/party.ts";
import { DialogForm } from "#web/forms/dialog-form.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";

interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly endpoint: Endpoint;
  /** `undefined` for a party that is being created. */
  readonly name?: string;
  readonly isOpen: boolean;
  readonly onSend: (values: FormData) => Promise<string | void>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function NameDialog({ title, name, isOpen, children, ...form }: NameDialogProps): ReactNode {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={form.onClose}>
      <DialogForm {...form}>
        <Field
          label="Name"
          name="name"
          placeholder="Grillen bei Ben"
          defaultValue={name}
          maxLength={partyLimits.name}
          autoComplete="off"
          required
        />
        {children}
      </DialogForm>
    </Dialog>
  );
}
