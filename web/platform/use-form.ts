import { useEffect, useRef, useState, type InputEvent, type SubmitEvent } from "react";

import type { Endpoint } from "#contract/endpoint.ts";
import { formatMissing, type FieldErrors } from "#contract/errors.ts";
import { labelsOf } from "#contract/labels.ts";
import { useAction } from "./use-action.ts";

interface Form {
  /** Sentences of the last attempt by field, without those that were changed since. */
  errors: FieldErrors;
  isPending: boolean;
  /** For the form element. */
  props: {
    readonly noValidate: true;
    readonly onInput: (event: InputEvent<HTMLFormElement>) => void;
    readonly onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  };
}

/**
 * An action that starts when a form is submitted and receives its values. Empty required fields are named without asking the
 * server, by their labels in `endpoint`; the server's sentences stand beside their fields until these are changed, and the first of
 * those gets the focus. What was typed stays.
 */
export function useForm(endpoint: Endpoint, send: (values: FormData) => Promise<string | void>): Form {
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<FieldErrors>({});
  const action = useAction(send, { isShown: (errors) => hasFieldFor(form.current!, errors) });
  const { isPending } = action;
  const found = isEmpty(missing) ? action.errors : missing;
  const [changed, setChanged] = useState<readonly string[]>([]);
  const errors = Object.fromEntries(Object.entries(found).filter(([field]) => !changed.includes(field)));

  useEffect(() => {
    if (isPending) return;
    // Disabled meanwhile, nothing could keep it. Not back to a field that is right: phones would open their keyboard.
    const isLost = document.activeElement === document.body;
    const wrong = '[aria-invalid="true"]';
    form.current?.querySelector<HTMLElement>(isLost ? `${wrong}, [type="submit"]` : wrong)?.focus();
  }, [found, isPending]);

  function onInput({ target }: InputEvent<HTMLFormElement>): void {
    // What is wrong with several fields together has the name of their group, or of the one that another confirms.
    const field = target as HTMLInputElement;
    const names = [field.name, field.name.replace("_confirmation", ""), field.closest("fieldset")?.name ?? ""];
    if (names.some((name) => name in errors)) setChanged([...changed, ...names]);
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isPending) return;
    form.current = event.currentTarget;
    const empty = findMissing(event.currentTarget, labelsOf(endpoint));
    setMissing(empty);
    setChanged([]);
    // Disabled fields have no values, so they are read before anything is disabled.
    if (isEmpty(empty)) void action.run(new FormData(event.currentTarget));
  }

  return { errors, isPending, props: { noValidate: true, onInput, onSubmit } };
}

/** A field's value as the contract wants it: a string, empty when there is none. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}

/** Several fields of a form as the object that the contract wants. */
export function textsOf<Name extends string>(values: FormData, ...names: Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textOf(values, name)])) as Record<Name, string>;
}

function isEmpty(errors: FieldErrors): boolean {
  return Object.keys(errors).length === 0;
}

function findMissing(form: HTMLFormElement, labels: Readonly<Record<string, string>>): FieldErrors {
  const inputs = [...form.elements].filter((element) => element instanceof HTMLInputElement);
  const missing = inputs.filter((input) => input.validity.valueMissing);
  return Object.fromEntries(
    missing.map((input) => [
      input.name,
      [
        input.type === "checkbox"
          ? "Bitte setz hier den Haken."
          : formatMissing(labels[input.name] ?? visibleLabel(input)),
      ],
    ]),
  );
}

/** What stands beside an input that is not a field of the endpoint by itself. */
function visibleLabel(input: HTMLInputElement): string {
  return input.labels?.[0]?.textContent.trim() || input.name;
}

/** Whether every sentence has a field on this form to stand at. */
function hasFieldFor(form: HTMLFormElement, errors: FieldErrors): boolean {
  return !isEmpty(errors) && Object.keys(errors).every((field) => form.elements.namedItem(field) !== null);
}
