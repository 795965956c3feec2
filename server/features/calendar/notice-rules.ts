import { dayNumber } from "#contract/christmas-calendar.ts";
export type NoticeKind =
  | "taken-over"
  | "taken-back"
  | "taken-back-with-picture"
  | "moved"
  | "picture-removed"
  | "picture-restored"
  | "picture-viewed";

export interface Notice {
  readonly kind: NoticeKind;
  readonly date: string;
  readonly movedTo?: string;
}

/** Omits the name of the administrator, who may be hidden. */
export function noticeText({ kind, date, movedTo }: Notice): string {
  const door = `Türchen ${dayNumber(date)}`;
  switch (kind) {
    case "taken-over":
      return `Die Verwaltung hat ${door} übernommen und selbst gefüllt. Es ist nicht mehr deins.`;
    case "taken-back":
      return `Die Verwaltung hat ${door} zurückgenommen. Es ist nicht mehr deins.`;
    case "taken-back-with-picture":
      return `Die Verwaltung hat ${door} zurückgenommen. Dein Bild hängt noch dort, ohne deinen Namen.`;
    case "moved":
      return `Die Verwaltung hat dein ${door} verlegt: Es ist jetzt Türchen ${dayNumber(movedTo!)}.`;
    case "picture-removed":
      return `Die Verwaltung hat dein Bild hinter ${door} abgenommen.`;
    case "picture-restored":
      return `Die Verwaltung hat dein Bild hinter ${door} wieder aufgehängt.`;
    case "picture-viewed":
      return `Die Verwaltung hat sich dein Bild hinter ${door} angesehen.`;
  }
}
