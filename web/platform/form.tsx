import type { ReactNode } from "react";

import type { Endpoint } from "#contract/endpoint.ts";
import { Button, type ButtonProps } from "#web/ui/button.tsx";
import { FormErrors } from "#web/ui/field.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { useForm } from "./use-form.ts";

interface FormProps {
  /** Which endpoint the fields are for: its labels name an empty one. */
  readonly endpoint: Endpoint;
  /** The label of the button that sends the form. */
  readonly action: string;
  readonly button?: Partial<ButtonProps>;
  /** Resolves to the text of a flash message, or to nothing. */
  readonly onSend: (values: FormData) => Promise<string | void>;
  /** The accessible name. */
  readonly label?: string;
  /** Of the element around the fields. */
  readonly className?: string | undefined;
  /** Whether it waits for something else than its own call. */
  readonly isDisabled?: boolean;
  /** The fields, which are disabled while the form is being sent. */
  readonly children: ReactNode;
}

/** A form on a page, with one button that sends it. */
export function Form(props: FormProps): ReactNode {
  const { endpoint, action, button, onSend, label, className, isDisabled = false, children } = props;
  const { errors, isPending, props: formProps } = useForm(endpoint, onSend);
  return (
    <FormErrors value={errors}>
      <form {...formProps} aria-label={label}>
        <Stack as="fieldset" className={className} disabled={isPending || isDisabled}>
          {children}
          <Button kind="primary" isWide {...button} type="submit" isBusy={isPending}>
            {action}
          </Button>
        </Stack>
      </form>
    </FormErrors>
  );
}
