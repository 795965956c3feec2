import type { ReactNode } from "react";

import { confirmPassword } from "#contract/confirm-password.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { Button, type ButtonProps } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { useForm } from "./use-form.ts";

export interface DialogFormProps {
  /**
   * The endpoint of the form; error messages about empty fields use its field labels. Not needed if
   * the password is the only field.
   */
  readonly endpoint?: Endpoint;
  /** The label of the submit button. */
  readonly action: string;
  readonly kind?: ButtonProps["kind"];
  /** Sends the values; resolves to the text of a flash message, or to `undefined` for none. */
  readonly onSend: (values: FormData) => Promise<string | void>;
  readonly onClose: () => void;
  /**
   * The label of a field for the current password, which is sent as `password`; without a label,
   * the form has no such field.
   */
  readonly passwordLabel?: string | undefined;
  /** A button before the button "Abbrechen". */
  readonly otherAction?: ReactNode;
  /** A button for an alternative action, beside the submit button. */
  readonly secondAction?: ReactNode;
  /** The fields; disabled while the form is being sent. */
  readonly children: ReactNode;
}

/** A form in a dialog, with "Abbrechen" and a submit button. */
export function DialogForm(props: DialogFormProps): ReactNode {
  const {
    endpoint = confirmPassword,
    action,
    kind = "primary",
    onSend,
    onClose,
    passwordLabel,
    otherAction,
    secondAction,
    children,
  } = props;
  const { errors, isPending, props: formProps } = useForm(endpoint, onSend);
  return (
    <FormErrors value={errors}>
      <Stack as="form" {...formProps}>
        <Stack as="fieldset" disabled={isPending}>
          {children}
          {passwordLabel !== undefined && (
            <Field label={passwordLabel} name="password" type="password" autoComplete="current-password" required />
          )}
        </Stack>
        <DialogActions>
          {otherAction}
          <Button disabled={isPending} onClick={onClose}>
            Abbrechen
          </Button>
          {secondAction}
          <Button type="submit" kind={kind} isBusy={isPending}>
            {action}
          </Button>
        </DialogActions>
      </Stack>
    </FormErrors>
  );
}
