import { Link } from "@tanstack/react-router";
import { BookOpen } from "lucide-react";
import { useEffect, type ReactNode } from "react";

import { markNewsSeen, newestNews } from "#contract/news.ts";
import { call } from "#web/client/api.ts";
import { QuietLink } from "#web/page/links.tsx";
import { useClient } from "#web/page/session.ts";
import { Stack } from "#web/ui/layout.tsx";
import { Hint } from "#web/ui/text.tsx";
import styles from "./news-list.module.css";
import { releases } from "./releases.ts";

export function NewsList({ onClose }: { onClose: () => void }): ReactNode {
  const { member } = useClient();
  useEffect(() => {
    member.set({ ...member.get()!, has_unread_news: undefined });
    // Unread again on the next visit.
    call(markNewsSeen, { body: { seen: newestNews } }).catch(() => undefined);
  }, [member]);
  return (
    <Stack gap={5}>
      {releases.map(({ number, month, picture, items }) => (
        <Stack key={number} as="article" gap={3}>
          {picture && <img className={styles["picture"]} src={picture} alt="" width={360} height={168} />}
          <Hint>{month}</Hint>
          <Stack as="ul" gap={3}>
            {items.map(({ name, text, to }) => (
              <li key={name} className={styles["item"]}>
                {to === undefined ? (
                  <strong>{name}</strong>
                ) : (
                  <Link to={to} onClick={onClose}>
                    {name}
                  </Link>
                )}
                <p>{text}</p>
              </li>
            ))}
          </Stack>
        </Stack>
      ))}
      <QuietLink to="/guide" className={styles["guide"]} onClick={onClose}>
        <BookOpen size={20} />
        Alles nachlesen: die Anleitung
      </QuietLink>
    </Stack>
  );
}
