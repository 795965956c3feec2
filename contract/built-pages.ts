import * as z from "zod/mini";

import type { Audience } from "./endpoint.ts";
import { user } from "./members.ts";

/**
 * The visitors who may see a page. `guest`: only visitors without a login; members are redirected
 * to the counter.
 */
export type PageAudience = Audience | "guest";

/** A page that the build has rendered to HTML. */
export interface RenderedPage {
  /** The path, e.g. `/beercounter`, with `$id` for a number. */
  readonly path: string;
  readonly who: PageAudience;
  /** The module of its component, e.g. `features/beers/counter-page.tsx`. */
  readonly module: string;
  /** The document title. It may contain the same marks as `html`. */
  readonly title: string;
  /**
   * The HTML shown until the app has started. It contains marks, e.g. `((group.group_name))` or
   * `((user.name))`: the server replaces each by this value of the group or of the logged-in
   * member.
   */
  readonly html: string;
}

/** The data the server needs to send a page. */
export interface BuiltPage extends Omit<RenderedPage, "module"> {
  /** Paths of the style sheets in loading order. */
  readonly styles: readonly string[];
  /** Paths of the scripts, e.g. `assets/page-abc.js`. */
  readonly scripts: readonly string[];
}

/** The visitor who loads a page; the server writes these values into the HTML. */
export const pageReader = z.object({
  /** `null` for a guest. */
  user: z.nullable(user),
  /**
   * Values by name, which this member's browser stores under these names
   * (web/session/user-storage.ts).
   */
  items: z.record(z.string(), z.unknown()),
});

export type PageReader = z.output<typeof pageReader>;
