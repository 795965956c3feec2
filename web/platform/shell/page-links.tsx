import { use, type ReactNode } from "react";

import { usePath } from "../location.ts";
import { PageLink } from "../page-link.tsx";
import { RoutesContext } from "../pages.ts";
import { isAllowed } from "../route-rules.ts";
import { useSession } from "../session.ts";

interface PageLinksProps {
  readonly place: "header" | "sidebar";
  readonly className: string | undefined;
  readonly onFollow?: () => void;
}

/** The links to the pages that the visitor may see, in their order: all of them in the sidebar, the main ones in the header. */
export function PageLinks({ place, className, onFollow }: PageLinksProps): ReactNode {
  const { user } = useSession();
  const path = usePath();
  const month = new Date().getMonth() + 1;
  const links = use(RoutesContext)
    .flatMap(({ path: href, link }) => (link !== undefined && isAllowed(link.who, user) ? [{ href, ...link }] : []))
    .filter(({ isInHeader = false }) => place === "sidebar" || isInHeader)
    .filter(({ months }) => months?.includes(month) !== false)
    .toSorted((one, other) => one.place - other.place);
  return (
    <ul className={className}>
      {links.map(({ href, icon, label }) => (
        <li key={href}>
          <PageLink
            href={href}
            aria-current={path === href || path.startsWith(`${href}/`) ? "page" : undefined}
            onClick={onFollow}
          >
            {icon}
            {label}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
