import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { Tally } from "#web/ui/beer-mat.tsx";
import { openStory } from "./stories.tsx";
import styles from "./story-strip.module.css";

export function StoryStrip({ id }: { id: number }): ReactNode {
  return (
    <button type="button" className={styles["strip"]} onClick={() => openStory(id)}>
      <span className={styles["strokes"]}>
        <Tally count={5} />
      </span>
      <span>
        <strong>So war der Abend</strong>
        <span className={styles["hint"]}>Die Geschichte zum Durchtippen.</span>
      </span>
      <ChevronRight size={22} />
    </button>
  );
}
