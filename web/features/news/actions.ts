import { markNewsSeen as markNewsSeenEndpoint, newestNews } from "#contract/news.ts";
import { call } from "#web/data/api.ts";
import { updateMember } from "#web/session/session.ts";

/**
 * Marks all news of this app version as seen. Ignores failures: the member then sees the news as
 * unread on the next visit.
 */
export async function markNewsSeen(): Promise<void> {
  updateMember({ has_unread_news: undefined });
  await call(markNewsSeenEndpoint, { body: { seen: newestNews } }).catch(() => undefined);
}
