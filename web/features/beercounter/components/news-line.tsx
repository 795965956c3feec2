import { ChevronRight, Megaphone } from "lucide-react";
import type { ReactNode } from "react";

import { openNews } from "#web/platform/news.ts";
import { useSession } from "#web/platform/session.ts";
import styles from "./news-line.module.css";

/** Offers the news of the app once, below the button, so that the button never moves. Opening them puts the line away. */
export function NewsLine(): ReactNode {
  const { user } = useSession();
  if (!user?.has_unread_news) return null;
  return (
    <button type="button" className={styles["line"]} onClick={openNews}>
      <Megaphone size={20} />
      <span>
        <strong>Was ist neu</strong> Die App hat dazugelernt.
      </span>
      <ChevronRight size={20} />
    </button>
  );
}
