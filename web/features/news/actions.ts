import { markNewsSeen as markNewsSeenEndpoint, newestNews } from "#contract/news.ts";
import { call } from "#web/platform/api.ts";
import { updateMember } from "#web/platform/session.ts";

/** Marks all news that this version knows as seen. A failure is silent: the news is then offered again on the next visit. */
export async function markNewsSeen(): Promise<void> {
  updateMember({ has_unread_news: undefined });
  await call(markNewsSeenEndpoint, { body: { seen: newestNews } }).catch(() => undefined);
}
