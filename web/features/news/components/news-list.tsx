import { BookOpen } from "lucide-react";
import { useEffect, type ReactNode } from "react";

import { PageLink } from "#web/router/page-link.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import { markNewsSeen } from "../actions.ts";
import styles from "./news-list.module.css";
import { releases } from "./releases.ts";

/** Lists all news, newest first, and marks the news as seen when the list is rendered. */
export function NewsList({ onClose }: { onClose: () => void }): ReactNode {
  useEffect(() => void markNewsSeen(), []);
  return (
    <Stack gap={5}>
      {releases.map(({ number, month, Picture, items }) => (
        <Stack key={number} as="article" gap={3}>
          <span className={styles["picture"]}>
            <Picture />
          </span>
          <Hint>{month}</Hint>
          <Stack as="ul" gap={3}>
            {items.map(({ name, text, href }) => (
              <li key={name} className={styles["item"]}>
                {href === undefined ? (
                  <strong>{name}</strong>
                ) : (
                  <PageLink href={href} onClick={onClose}>
                    {name}
                  </PageLink>
                )}
                <p>{text}</p>
              </li>
            ))}
          </Stack>
        </Stack>
      ))}
      <QuietAction as={PageLink} href="/guide" className={styles["guide"]} onClick={onClose}>
        <BookOpen size={20} />
        Alles nachlesen: die Anleitung
      </QuietAction>
    </Stack>
  );
}
