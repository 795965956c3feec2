import type { ComponentPropsWithRef, MouseEvent, ReactNode } from "react";

import { navigate } from "./location.ts";
import { preload, useFindRoute } from "./pages.ts";

export interface PageLinkProps extends Omit<ComponentPropsWithRef<"a">, "href" | "className"> {
  /** An inner path, e.g. `/login`. */
  href: string;
  className?: string | undefined;
}

/** A link to a page of the app. Its code is fetched as soon as somebody points at the link. */
export function PageLink({ href, onClick, onPointerEnter, onFocus, children, ...rest }: PageLinkProps): ReactNode {
  const findRoute = useFindRoute();
  function preloadPage(): void {
    const route = findRoute(href.replace(/[?#].*/, ""));
    if (route !== undefined) void preload(route.page);
  }
  function handleClick(event: MouseEvent<HTMLAnchorElement>): void {
    // The browser itself opens links in new tabs and windows, and downloads them.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    onClick?.(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    navigate(href);
  }
  return (
    <a
      {...rest}
      href={href}
      onClick={handleClick}
      onPointerEnter={(event) => {
        preloadPage();
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        preloadPage();
        onFocus?.(event);
      }}
      onTouchStart={preloadPage}
    >
      {children}
    </a>
  );
}
