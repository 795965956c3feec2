import { CalendarDays, ChevronRight, MonitorPlay, Plug, ScrollText, Truck, Webhook } from "lucide-react";
import type { ReactNode } from "react";

import { isCalendarSeason } from "#web/admin/admin-layout.tsx";
import { ListItemLink } from "#web/page/links.tsx";
import { Card } from "#web/ui/card.tsx";
import { IconDisc } from "#web/ui/icons.tsx";
import { List } from "#web/ui/list.tsx";
import { Hint } from "#web/ui/text.tsx";

const links = [
  ["/admin/tv", "Fernseher", "Bildschirme im Raum, die den Stand zeigen", MonitorPlay],
  ["/admin/webhooks", "Webhooks", "Biere und Partys in eurem Chat", Webhook],
  ["/admin/api", "API", "Für eigene Programme", Plug],
  ["/admin/import", "Umziehen", "Biere aus einer anderen App mitbringen", Truck],
  ["/admin/audit", "Protokoll", "Was in der Verwaltung getan wurde", ScrollText],
] as const;
const calendar = ["/admin/calendar", "Kalender", "Türchen und Musik für den Advent", CalendarDays] as const;

export function SystemLinks(): ReactNode {
  const shown = isCalendarSeason() ? links : [calendar, ...links];
  return (
    <Card>
      <List label="Technik">
        {shown.map(([to, title, hint, icon]) => (
          <li key={to}>
            <ListItemLink to={to} picture={<IconDisc icon={icon} />} end={<ChevronRight size={22} />}>
              <strong>{title}</strong>
              <Hint as="span">{hint}</Hint>
            </ListItemLink>
          </li>
        ))}
      </List>
    </Card>
  );
}
