import { useMutation } from "@tanstack/react-query";
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type InputEvent,
  type ReactNode,
  type Ref,
  type SubmitEvent,
} from "react";

import type { Endpoint, InputOf } from "#contract/endpoint.ts";
import { formatDiffering, formatMissing, formatProblems, toFieldProblems, type FieldErrors } from "#contract/errors.ts";
import { fieldNamesOf, labelsOf } from "#contract/labels.ts";
import { ApiError } from "#web/client/api.ts";
import { Button, type ButtonProps } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import {
  Checkbox,
  type CheckboxProps,
  Field,
  FormErrors,
  type FieldProps,
  Select,
  type SelectProps,
} from "#web/ui/field.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { showFailure } from "./messages.tsx";

interface BaseProps<E extends Endpoint> {
  readonly action: string;
  /** Resolves to the sentence to show, or to `undefined`. */
  readonly onSend: (body: InputOf<E>, form: HTMLFormElement) => Promise<string | void>;
  /** Fields of the body that the form does not have, or not in this shape. */
  readonly readMore?: (values: FormData) => Partial<InputOf<E>>;
  /** Sends also wrong fields, so that the server's errors appear with the others. */
  readonly isAlwaysSent?: boolean;
  readonly kind?: ButtonProps["kind"];
  /** The fields, disabled while the form is being sent. */
  readonly children: ReactNode;
}

export interface FormProps<E extends Endpoint> extends BaseProps<E> {
  readonly ref?: Ref<HTMLFormElement>;
  readonly label?: string;
  readonly className?: string | undefined;
  /** `true` while the form waits for something other than its own request. */
  readonly isDisabled?: boolean;
  readonly button?: Partial<ButtonProps>;
  readonly below?: ReactNode;
}

export interface DialogFormProps<E extends Endpoint> extends BaseProps<E> {
  readonly onClose: () => void;
  readonly otherAction?: ReactNode;
  readonly secondAction?: ReactNode;
}

type NameOf<E> = keyof InputOf<E> & string;
/** The label is by default that of the contract. */
type OwnProps<Props, E> = Omit<Props, "name" | "label"> & { readonly name: NameOf<E>; readonly label?: string };

/** Returns the form components of an endpoint; field names must be those of its body. */
export function formFor<const E extends Endpoint>(endpoint: E) {
  const labels = labelsOf(endpoint);
  const labelOf = (name: string, label = labels[name] ?? name): string => label;
  return {
    Form: (props: FormProps<E>): ReactNode => <PageForm endpoint={endpoint} {...props} />,
    DialogForm: (props: DialogFormProps<E>): ReactNode => <DialogForm endpoint={endpoint} {...props} />,
    Field: ({ label, ...rest }: OwnProps<FieldProps, E>): ReactNode => (
      <Field {...rest} label={labelOf(rest.name, label)} />
    ),
    Checkbox: ({ label, ...rest }: OwnProps<CheckboxProps, E>): ReactNode => (
      <Checkbox {...rest} label={labelOf(rest.name, label)} />
    ),
    Select: ({ label, ...rest }: OwnProps<SelectProps, E>): ReactNode => (
      <Select {...rest} label={labelOf(rest.name, label)} />
    ),
  };
}

function PageForm<E extends Endpoint>(props: FormProps<E> & { readonly endpoint: E }): ReactNode {
  const {
    endpoint,
    action,
    button,
    kind = "primary",
    ref,
    label,
    className,
    isDisabled = false,
    below,
    children,
  } = props;
  const { errors, isPending, formProps } = useForm(endpoint, props);
  return (
    <FormErrors value={errors}>
      <form {...formProps} ref={ref} aria-label={label}>
        <Stack as="fieldset" className={className} disabled={isPending || isDisabled}>
          {children}
          <Button kind={kind} isWide {...button} type="submit" isBusy={isPending}>
            {action}
          </Button>
          {below}
        </Stack>
      </form>
    </FormErrors>
  );
}

function DialogForm<E extends Endpoint>(props: DialogFormProps<E> & { readonly endpoint: E }): ReactNode {
  const { endpoint, action, kind = "primary", onClose, otherAction, secondAction, children } = props;
  const { errors, isPending, formProps } = useForm(endpoint, props);
  return (
    <FormErrors value={errors}>
      <Stack as="form" {...formProps}>
        <Stack as="fieldset" disabled={isPending}>
          {children}
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

/**
 * Checks the fields against the endpoint's body, shows these errors and the server's until the fields change, and
 * focuses the first wrong field.
 */
function useForm<E extends Endpoint>(endpoint: E, { onSend, readMore, isAlwaysSent = false }: BaseProps<E>) {
  const form = useRef<HTMLFormElement>(null);
  const labels = labelsOf(endpoint);
  const [own, setOwn] = useState<FieldErrors>({});
  const [changed, setChanged] = useState<readonly string[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: InputOf<E>) => onSend(body, form.current!),
    meta: { showsErrors: true },
    onError(failure) {
      if (!hasFieldFor(form.current!, errorsOf(failure))) showFailure(failure);
    },
  });
  const found = useMemo(
    () => ({ ...moveToConfirmation(errorsOf(error), labelsOf(endpoint)), ...own }),
    [error, own, endpoint],
  );
  const errors = Object.fromEntries(Object.entries(found).filter(([field]) => !changed.includes(field)));

  useEffect(() => {
    if (isPending) return;
    // Disabled fields lose the focus. Valid ones do not get it back, because phones would open their keyboard.
    const isLost = document.activeElement === document.body;
    const wrong = '[aria-invalid="true"]';
    form.current?.querySelector<HTMLElement>(isLost ? `${wrong}, [type="submit"]` : wrong)?.focus();
  }, [found, isPending]);

  function onInput({ target }: InputEvent<HTMLFormElement>): void {
    // An error about several fields has the name of their fieldset, or of the field for the confirmation.
    const field = target as HTMLInputElement;
    const names = [field.name, `${field.name}_confirmation`, field.closest("fieldset")?.name ?? ""];
    if (names.some((name) => name in errors)) setChanged([...changed, ...names]);
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isPending) return;
    const { currentTarget } = event;
    form.current = currentTarget;
    const body = { ...readBody(endpoint, currentTarget), ...readMore?.(new FormData(currentTarget)) } as InputOf<E>;
    const wrong = { ...findProblems(endpoint, body, labels), ...findMissing(currentTarget, labels) };
    const isWrong = hasFieldFor(currentTarget, wrong);
    setChanged([]);
    setOwn(isWrong ? wrong : {});
    if (isAlwaysSent || !isWrong) mutate(body);
  }

  return { errors, isPending, formProps: { noValidate: true, onInput, onSubmit } as const };
}

function errorsOf(error: Error | null): FieldErrors {
  return error instanceof ApiError ? error.errors : {};
}

/** Reads only fields of the endpoint's body. */
function readBody(endpoint: Endpoint, form: HTMLFormElement): Record<string, unknown> {
  const values = new FormData(form);
  const body: Record<string, unknown> = {};
  for (const name of fieldNamesOf(endpoint)) {
    const input = form.elements.namedItem(name);
    if (input instanceof HTMLInputElement && input.type === "checkbox") body[name] = input.checked;
    else if (input instanceof HTMLInputElement && input.type === "number") body[name] = readNumber(input);
    else if (values.has(name)) body[name] = values.get(name);
  }
  return body;
}

/** Returns typed text that is no number, which the contract then refuses. */
function readNumber({ value, valueAsNumber, validity }: HTMLInputElement): unknown {
  if (validity.badInput) return Number.NaN;
  return value === "" ? undefined : valueAsNumber;
}

function findProblems(endpoint: Endpoint, body: unknown, labels: Readonly<Record<string, string>>): FieldErrors {
  const { error } = endpoint.body?.safeParse(body) ?? {};
  return error ? moveToConfirmation(formatProblems(toFieldProblems(error.issues), labels), labels) : {};
}

/** Checks also inputs that are not part of the body. */
function findMissing(form: HTMLFormElement, labels: Readonly<Record<string, string>>): FieldErrors {
  const inputs = [...form.elements].filter((element) => element instanceof HTMLInputElement);
  const missing = inputs.filter(({ validity }) => validity.valueMissing);
  return Object.fromEntries(
    missing.map((input) => [
      input.name,
      [
        input.type === "checkbox"
          ? "Bitte setz hier den Haken."
          : formatMissing(labels[input.name] ?? (input.labels?.[0]?.textContent.trim() || input.name)),
      ],
    ]),
  );
}

/** Moves the error to the second field, where it is corrected. */
function moveToConfirmation(errors: FieldErrors, labels: Readonly<Record<string, string>>): FieldErrors {
  const moved: FieldErrors = {};
  for (const [field, texts] of Object.entries(errors)) {
    const differs = formatDiffering(labels[field] ?? field);
    const others = texts.filter((text) => text !== differs);
    if (others.length > 0) moved[field] = others;
    if (others.length < texts.length) moved[`${field}_confirmation`] = [differs];
  }
  return moved;
}

/** Returns `true` if every error belongs to a field of this form. */
function hasFieldFor(form: HTMLFormElement, errors: FieldErrors): boolean {
  const fields = Object.keys(errors);
  return fields.length > 0 && fields.every((field) => form.elements.namedItem(field) !== null);
}
