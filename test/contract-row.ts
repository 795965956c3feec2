import type { TestApp } from "./test-app.ts";

/** One endpoint's line: how it is called when everything is right, and what each caller is answered. */
export interface ContractRow {
  /** By column of `callers`. */
  readonly statuses: readonly [number, number, number, number, number, number, number, number];
  /** The path with its placeholders filled in. */
  readonly path?: string;
  /** What its own page sends along. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is sent as JSON, or bytes as they are. */
  readonly body?: (app: TestApp) => object | Promise<object>;
  /** What `body` is where it is not JSON. */
  readonly type?: string;
  /** Every field of a successful answer, and there are no others; `[]` stands for the items of a list. */
  readonly fields: readonly string[];
}
