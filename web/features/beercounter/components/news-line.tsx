import { ChevronRight, Megaphone } from "lucide-react";
import type { ReactNode } from "react";

import { useSession } from "#web/session/session.ts";
import { openNews } from "#web/shell/news.ts";
import styles from "./news-line.module.css";

/**
 * Offers the news of the app below the tap button, so that the button does not move. Opening the
 * news hides this offer permanently.
 */
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
