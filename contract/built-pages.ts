import * as z from "zod/mini";

import type { Audience } from "./endpoint.ts";
import { user } from "./members.ts";

/** The visitors who may see a page. `guest`: only guests; members are redirected to the counter. */
export type PageAudience = Audience | "guest";

/** A page as the build renders it. */
export interface RenderedPage {
  /** The path, e.g. `/beercounter`, with `$id` for a number. */
  readonly path: string;
  readonly who: PageAudience;
  /** The module of its component, e.g. `features/beercounter/page.tsx`. */
  readonly module: string;
  /** The title of the document, with marks like `html`. */
  readonly title: string;
  /**
   * The HTML before the app has started. The server replaces each mark, e.g. `((group.group_name))` or `((user.name))`, with this
   * value of the group or the reader.
   */
  readonly html: string;
}

/** The data the server needs to send a page. */
export interface BuiltPage extends Omit<RenderedPage, "module"> {
  /** Style sheets in order, and scripts, e.g. `assets/page-abc.js`. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

/** The reader of a page; the server writes this into the page. */
export const pageReader = z.object({
  /** `null` for a guest. */
  user: z.nullable(user),
  /** The items that the member's browser stores, by name (web/session/user-storage.ts). */
  items: z.record(z.string(), z.unknown()),
});

export type PageReader = z.output<typeof pageReader>;
