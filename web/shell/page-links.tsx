import { useMatches, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { PageLink } from "#web/router/page-link.tsx";
import { isAllowed } from "#web/router/route-rules.ts";
import { useSession } from "#web/session/session.ts";

interface PageLinksProps {
  readonly place: "header" | "sidebar";
  readonly className: string | undefined;
  readonly onFollow?: () => void;
}

/**
 * Links to the pages that the visitor may see: all of these pages in the sidebar, only the main
 * ones in the header.
 */
export function PageLinks({ place, className, onFollow }: PageLinksProps): ReactNode {
  const { user } = useSession();
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname.toLowerCase() ?? "" });
  const month = new Date().getMonth() + 1;
  const links = Object.values(useRouter().routesById)
    .flatMap(({ fullPath: href, options: { staticData: { link } = {} } }) =>
      link !== undefined && isAllowed(link.who, user) ? [{ href, ...link }] : [],
    )
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
