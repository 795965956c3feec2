import { useState } from "react";
import * as z from "zod/mini";

import { keep, recall } from "#web/platform/keepsake.ts";

const name = "christmas-calendar";
const wishes = z.object({ isMuted: z.boolean(), hasSnow: z.boolean() });

/** How this member likes the page; stays on this device. */
export type Wishes = z.output<typeof wishes>;

export function useWishes(): [Wishes, (changes: Partial<Wishes>) => void] {
  const [current, setCurrent] = useState(() => recall(name, wishes) ?? { isMuted: false, hasSnow: true });
  return [
    current,
    (changes) => {
      const next = { ...current, ...changes };
      setCurrent(next);
      keep(name, next);
    },
  ];
}
