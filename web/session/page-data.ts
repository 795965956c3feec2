import type * as z from "zod/mini";

import { pageReader, type PageReader } from "#contract/built-pages.ts";
import { groupConfig, type GroupConfig } from "#contract/group-config.ts";

/**
 * Returns the group settings that the server wrote into the page; `null` if the page comes from the
 * service worker's cache.
 */
export function readGroupOfPage(): GroupConfig | null {
  return readMeta("group", groupConfig);
}

/**
 * Returns the login status that the server wrote into the page; `null` if the page comes from the
 * service worker's cache or the database was slow.
 */
export function readReaderOfPage(): PageReader | null {
  return readMeta("reader", pageReader);
}

function readMeta<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | null {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
  if (content === "") return null;
  const { success, data } = schema.safeParse(JSON.parse(content));
  return success ? data! : null;
}
