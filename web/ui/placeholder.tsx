import { createContext, use, type ReactNode } from "react";

/** `true` while the build renders the HTML shown before the app has started. */
export const PlaceholderContext = createContext(false);

/**
 * Returns `true` in a placeholder: HTML that the server sends and the app replaces when it starts.
 * A placeholder must have no style attributes (Content-Security-Policy) and no content that depends
 * on the date or on permissions.
 */
export function usePlaceholder(): boolean {
  return use(PlaceholderContext);
}

/**
 * Renders a mark that the server replaces with a value, e.g. that of `user.name`; renders nothing
 * in the running app.
 */
export function ServerText({ path }: { path: string }): ReactNode {
  return usePlaceholder() && `((${path}))`;
}
