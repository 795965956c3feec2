import {
  type FieldErrors,
  type FieldText,
  fieldText,
  type RefusalCode,
  refusals,
  summarize,
} from "#contract/errors.ts";

/** An answer that says no: thrown anywhere, turned into status and German text by the one error handler. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: FieldErrors | undefined;
  /** For Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, text: string, errors?: FieldErrors, retryAfterSeconds?: number) {
    super(text);
    this.status = status;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function refuse(code: RefusalCode, { seconds, text }: { seconds?: number; text?: string } = {}): Refusal {
  const refusal = refusals[code];
  return new Refusal(refusal.status, (text ?? refusal.text).replace(":seconds", String(seconds)), undefined, seconds);
}

/** 422: sentences at their fields. */
export function refuseFields(errors: FieldErrors): Refusal {
  return new Refusal(refusals.M422.status, summarize(errors), errors);
}

export function refuseField(field: string, text: FieldText, values?: { min?: number; max?: number }): Refusal {
  return refuseFields({ [field]: [fieldText(text, field, values)] });
}
