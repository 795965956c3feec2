import { type FieldProblem, type FieldProblems, type FieldText, type RefusalCode, refusals } from "#contract/errors.ts";

/** sendError() answers with the status and German text. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  /** German; `null` if the texts of `fields` suffice. */
  readonly text: string | null;
  readonly fields: FieldProblems | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: RefusalCode, text: string | null, fields?: FieldProblems, retryAfterSeconds?: number) {
    super(text ?? `Refused: ${JSON.stringify(fields)}`);
    this.code = code;
    this.status = refusals[code].status;
    this.text = text;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * `seconds` becomes Retry-After, `door` is a calendar door's number, and `fields` are the problems that the form shows
 * at its fields.
 */
export function refuse(
  code: RefusalCode,
  { seconds, door, text, fields }: { seconds?: number; door?: number; text?: string; fields?: FieldProblems } = {},
): Refusal {
  const filled = (text ?? refusals[code].text).replace(":seconds", String(seconds)).replace(":door", String(door));
  return new Refusal(code, filled, fields, seconds);
}

/** Creates a 422. */
export function refuseFields(fields: FieldProblems): Refusal {
  return new Refusal("invalidFields", null, fields);
}

/** Creates a 422. */
export function refuseField(field: string, text: FieldText, values?: Omit<FieldProblem, "text">): Refusal {
  return refuseFields({ [field]: [{ text, ...values }] });
}
