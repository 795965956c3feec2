import { type FieldProblem, type FieldProblems, type FieldText, type RefusalCode, refusals } from "#contract/errors.ts";

/** A request that is not carried out. Thrown anywhere below a route; sendError() answers it with a status and a German text. */
export class Refusal extends Error {
  readonly status: number;
  /** The German text; null where the sentences about the fields say it. */
  readonly text: string | null;
  readonly fields: FieldProblems | undefined;
  /** For Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, text: string | null, fields?: FieldProblems, retryAfterSeconds?: number) {
    super(text ?? `Refused: ${JSON.stringify(fields)}`);
    this.status = status;
    this.text = text;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** `throw refuse("M404")`. `seconds` is for Retry-After, `door` the number of a calendar door, `fields` for what the form shows at its fields. */
export function refuse(
  code: RefusalCode,
  { seconds, door, text, fields }: { seconds?: number; door?: number; text?: string; fields?: FieldProblems } = {},
): Refusal {
  const { status, text: usualText } = refusals[code];
  const filled = (text ?? usualText).replace(":seconds", String(seconds)).replace(":door", String(door));
  return new Refusal(status, filled, fields, seconds);
}

/** 422 with the problems of several fields. */
export function refuseFields(fields: FieldProblems): Refusal {
  return new Refusal(refusals.M422.status, null, fields);
}

/** 422 with the problem of one field. */
export function refuseField(field: string, text: FieldText, values?: Omit<FieldProblem, "text">): Refusal {
  return refuseFields({ [field]: [{ text, ...values }] });
}
