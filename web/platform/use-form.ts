import { useEffect, useRef, useState, type SubmitEvent } from "react";

import { fieldText, type FieldErrors } from "#contract/errors.ts";

import { ApiError } from "./api.ts";
import { showFlash } from "./flash.tsx";

export interface Form {
  /** Sentences by field of the last attempt. */
  errors: FieldErrors;
  isBusy: boolean;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

/**
 * What every form does: an empty required field is named without asking the server; `send` gets the values; sentences
 * of the server go to their fields and the first of those gets the focus; anything else becomes a flash. What was typed stays.
 */
export function useForm(send: (values: FormData) => Promise<void>): Form {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isBusy, setBusy] = useState(false);
  const sent = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (!isBusy) sent.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  }, [errors, isBusy]);

  const submit = async (form: HTMLFormElement): Promise<void> => {
    sent.current = form;
    const missing = findMissing(form);
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    // Disabled fields have no values, so they are read before anything is disabled.
    const values = new FormData(form);
    setBusy(true);
    try {
      await send(values);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setErrors(error.errors);
      if (!fits(form, error.errors)) showFlash({ type: "error", text: error.message });
    } finally {
      setBusy(false);
    }
  };

  return {
    errors,
    isBusy,
    onSubmit: (event) => {
      event.preventDefault();
      if (!isBusy) void submit(event.currentTarget);
    },
  };
}

/** A field's value as the contract wants it: a string, empty when there is none. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}

function findMissing(form: HTMLFormElement): FieldErrors {
  const inputs = [...form.elements].filter((element) => element instanceof HTMLInputElement);
  const missing = inputs.filter((input) => input.validity.valueMissing);
  return Object.fromEntries(missing.map(({ name }) => [name, [fieldText("V-req", name)]]));
}

/** Whether every sentence has a field on this form to stand at. */
function fits(form: HTMLFormElement, errors: FieldErrors): boolean {
  const fields = Object.keys(errors);
  return fields.length > 0 && fields.every((field) => form.elements.namedItem(field) !== null);
}
