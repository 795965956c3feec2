import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Removed pictures, which can be restored for a day. */
    calendar_removed_pictures: {
      id: string;
      date: string;
      screen: Buffer;
      phone: Buffer;
      /** The member who filled the door; `null` for a picture of administrators. */
      owner_id: number | null;
      text: string | null;
      is_hidden: number;
      /** 1 if the picture's owner removed it, 0 if an administrator did. */
      is_by_owner: number;
      removed_at: number;
    };
  }
}

export const tables = {
  calendar_removed_pictures: {
    backup: "excluded",
    memberColumns: { owner_id: { onAccountDeletion: "delete", exportedAs: "calendar_pictures_removed" } },
  },
} satisfies TablePolicies;
