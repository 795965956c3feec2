import type { TestApp } from "./test-app.ts";

/** A valid call of an endpoint, made by Ben, or by an administrator if members have no access. */
export interface ExampleCall {
  /** HTTP status of the answer; by default the endpoint's success status. */
  readonly status?: number;
  /**
   * Expected HTTP status for each actor of test/actors.ts, if the endpoint refuses some actors who
   * belong to its audience.
   */
  readonly statuses?: readonly number[];
  /** Path to call, e.g. `/api/x/1`; required if the endpoint's path has placeholders. */
  readonly path?: string;
  /** Headers that our page adds to this call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body, sent as JSON; a Buffer is sent unchanged. */
  readonly body?: (app: TestApp) => object | Promise<object>;
  /** Content type, if the body is not JSON. */
  readonly type?: string;
}

/**
 * Example calls of a feature, keyed by method and path: `GET /api/x/:id`. Endpoints without input
 * need no example call.
 */
export type ExampleCalls = Readonly<Record<string, ExampleCall>>;

export function prefixed(prefix: string, fields: readonly string[]): string[] {
  return fields.map((field) => prefix + field);
}
