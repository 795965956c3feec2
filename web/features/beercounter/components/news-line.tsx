import { ChevronRight, Megaphone } from "lucide-react";
import type { ReactNode } from "react";

import { useSession } from "#web/session/session.ts";
import { openNews } from "#web/shell/news.ts";
import styles from "./news-line.module.css";

/** Offers the app's news once, below the button, so that the button never moves. Opening them dismisses the line. */
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
