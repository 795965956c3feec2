import { useEffect, useMemo, useRef, useState, type InputEvent, type SubmitEvent } from "react";

import type { Endpoint } from "#contract/endpoint.ts";
import { formatDiffering, formatMissing, type FieldErrors } from "#contract/errors.ts";
import { labelsOf } from "#contract/labels.ts";
import { useAction } from "./use-action.ts";

interface Form {
  /**
   * Errors of the last submission by field name; errors of fields that were changed since then are
   * left out.
   */
  errors: FieldErrors;
  isPending: boolean;
  /** Properties of the form element. */
  props: {
    readonly noValidate: true;
    readonly onInput: (event: InputEvent<HTMLFormElement>) => void;
    readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  };
}

/**
 * Sends the values of `form`, which it may reset; resolves to the text of a flash message, or to
 * `undefined` for none.
 */
export type SendForm = (values: FormData, form: HTMLFormElement) => Promise<string | void>;

export interface FormOptions {
  /**
   * `true` to send a form with empty fields, too, so that the errors of all fields are shown at
   * once. The server must refuse such a form.
   */
  readonly isAlwaysSent?: boolean;
}

/**
 * Handles a form. Empty required fields and confirmations that differ are reported without a
 * request, by the field labels of `endpoint`. The server's errors are shown beside their fields
 * until the fields are changed, and the first invalid field gets the focus.
 */
export function useForm(endpoint: Endpoint, send: SendForm, { isAlwaysSent = false }: FormOptions = {}): Form {
  const form = useRef<HTMLFormElement>(null);
  const [own, setOwn] = useState<FieldErrors>({});
  const action = useAction(send, { isShown: (errors) => hasFieldFor(form.current!, errors) });
  const { isPending } = action;
  const found = useMemo(
    () => ({ ...moveToConfirmation(action.errors, labelsOf(endpoint)), ...own }),
    [action.errors, own, endpoint],
  );
  const [changed, setChanged] = useState<readonly string[]>([]);
  const errors = Object.fromEntries(Object.entries(found).filter(([field]) => !changed.includes(field)));

  useEffect(() => {
    if (isPending) return;
    // The fields are disabled during a request and lose the focus, which is restored afterwards.
    // Valid fields get no focus, because phones would open their keyboard.
    const isLost = document.activeElement === document.body;
    const wrong = '[aria-invalid="true"]';
    form.current?.querySelector<HTMLElement>(isLost ? `${wrong}, [type="submit"]` : wrong)?.focus();
  }, [found, isPending]);

  function onInput({ target }: InputEvent<HTMLFormElement>): void {
    // The key of an error about several fields is the name of their fieldset, or of the field for
    // the confirmation.
    const field = target as HTMLInputElement;
    const names = [field.name, `${field.name}_confirmation`, field.closest("fieldset")?.name ?? ""];
    if (names.some((name) => name in errors)) setChanged([...changed, ...names]);
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isPending) return;
    form.current = event.currentTarget;
    const wrong = findErrors(event.currentTarget, labelsOf(endpoint));
    setOwn(wrong);
    setChanged([]);
    // Reads the values before the fields are disabled, because disabled fields are missing in
    // FormData.
    if (isAlwaysSent || isEmpty(wrong)) void action.run(new FormData(event.currentTarget), event.currentTarget);
  }

  return { errors, isPending, props: { noValidate: true, onInput, onSubmit } };
}

/** Returns a field's value as a string; an empty string if the field is missing. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}

/** Returns several fields of a form as an object of strings. */
export function textsOf<Name extends string>(values: FormData, ...names: Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textOf(values, name)])) as Record<Name, string>;
}

function isEmpty(errors: FieldErrors): boolean {
  return Object.keys(errors).length === 0;
}

/** Returns the errors that the page finds itself. */
function findErrors(form: HTMLFormElement, labels: Readonly<Record<string, string>>): FieldErrors {
  const inputs = [...form.elements].filter((element) => element instanceof HTMLInputElement);
  const values = new Map(inputs.map(({ name, value }) => [name, value.normalize("NFC")]));
  const errors: FieldErrors = {};
  for (const input of inputs) {
    const confirmed = input.name.replace("_confirmation", "");
    if (input.validity.valueMissing)
      errors[input.name] = [
        input.type === "checkbox"
          ? "Bitte setz hier den Haken."
          : formatMissing(labels[input.name] ?? visibleLabel(input)),
      ];
    else if (confirmed !== input.name && values.get(confirmed) !== values.get(input.name))
      errors[input.name] = [formatDiffering(labels[confirmed]!)];
  }
  return errors;
}

/**
 * Moves the error of a field that differs from its confirmation to the second field, where it is
 * corrected.
 */
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

/** Returns the visible label of an input that is not a field of the endpoint. */
function visibleLabel(input: HTMLInputElement): string {
  return input.labels?.[0]?.textContent.trim() || input.name;
}

/** Returns `true` if every error belongs to a field of this form. */
function hasFieldFor(form: HTMLFormElement, errors: FieldErrors): boolean {
  return !isEmpty(errors) && Object.keys(errors).every((field) => form.elements.namedItem(field) !== null);
}
