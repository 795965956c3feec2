import type { ReactNode } from "react";

import type { Endpoint } from "#contract/endpoint.ts";
import { Button, type ButtonProps } from "#web/ui/button.tsx";
import { FormErrors } from "#web/ui/field.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { useForm, type FormOptions, type SendForm } from "./use-form.ts";

interface FormProps extends FormOptions {
  /** The endpoint of the form; error messages about empty fields use its field labels. */
  readonly endpoint: Endpoint;
  /** The label of the submit button. */
  readonly action: string;
  readonly button?: Partial<ButtonProps>;
  readonly onSend: SendForm;
  /** Accessible name of the form. */
  readonly label?: string;
  /** CSS class of the element around the fields. */
  readonly className?: string | undefined;
  /** `true` while the form must wait for something other than its own request. */
  readonly isDisabled?: boolean;
  /** The fields; disabled while the form is being sent. */
  readonly children: ReactNode;
}

/** A form on a page, with a submit button. */
export function Form(props: FormProps): ReactNode {
  const {
    endpoint,
    action,
    button,
    onSend,
    label,
    className,
    isDisabled = false,
    isAlwaysSent = false,
    children,
  } = props;
  const { errors, isPending, props: formProps } = useForm(endpoint, onSend, { isAlwaysSent });
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
