import type { ReactNode } from "react";

import { buttonStyle, type ButtonProps } from "#web/ui/button.tsx";
import { PageLink, type PageLinkProps } from "./page-link.tsx";

/** A link to a page of the app that looks like a button. */
export function ButtonLink({ kind, ...rest }: Omit<PageLinkProps, "className"> & Pick<ButtonProps, "kind">): ReactNode {
  return <PageLink {...rest} className={buttonStyle} data-kind={kind} />;
}
