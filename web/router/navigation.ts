import { createBrowserHistory, createMemoryHistory, type RouterHistory } from "@tanstack/react-router";

import { changeHistory, countLayerEntries, handleLayerPop } from "#web/ui/close-on-back.ts";

/** The router's history; an in-memory history during the build, which has no browser. */
export const pageHistory = typeof document === "undefined" ? createMemoryHistory() : createPageHistory();

interface NavigateOptions {
  replace?: boolean;
  /**
   * Runs just before the address changes, after all delays of the navigation, e.g. to change the
   * session.
   */
  update?: () => void;
}

/**
 * Navigates to a path within the app, e.g. `/login?redirectedFrom=/profile`; works outside of
 * components, too.
 */
export function navigate(to: string, { replace = false, update }: NavigateOptions = {}): void {
  if (update !== undefined) runBeforeNextChange(update);
  if (replace) pageHistory.replace(to);
  else pageHistory.push(to);
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    visit?: number;
  }
}

/** Returns a state that makes each navigation unique, so that a link to the current page scrolls to its top. */
export function createVisit(): { visit: number } {
  return { visit: Math.random() };
}

type Listener = (event: Event) => void;

/** Creates a history that hides the history entries of open dialogs and menus from the router. */
function createPageHistory(): RouterHistory {
  const isOfThisPage = (): boolean => {
    const { __TSR_key: key } = (history.state ?? {}) as { __TSR_key?: string };
    return key === pages.location.state.__TSR_key;
  };
  const followers = new Map<Listener, Listener>();
  function followPages(listener: Listener): Listener {
    const follow = (event: Event): void => {
      handleLayerPop();
      if (!isOfThisPage()) listener(event);
    };
    followers.set(listener, follow);
    return follow;
  }
  const pages = createBrowserHistory({
    window: {
      history,
      location,
      document: globalThis.document,
      addEventListener(type: string, listener: Listener, options?: AddEventListenerOptions) {
        addEventListener(type, type === "popstate" ? followPages(listener) : listener, options);
      },
      removeEventListener(type: string, listener: Listener, options?: AddEventListenerOptions) {
        removeEventListener(type, followers.get(listener) ?? listener, options);
      },
    },
  });
  const { push, replace } = pages;
  pages.push = (path, state, options) =>
    changeHistory(() => {
      const isHere = path === pages.location.href;
      const isInLayer = countLayerEntries() > 0;
      // A link from a dialog or menu to the current page needs no change: closing the dialog or
      // menu already returns to the page's history entry.
      if (isHere && isInLayer) return;
      // The new page replaces the history entry of the dialog or menu.
      (isHere || isInLayer ? replace : push)(path, state, options);
    });
  pages.replace = (path, state, options) => changeHistory(() => replace(path, state, options));
  return pages;
}

function runBeforeNextChange(update: () => void): void {
  const remove = pageHistory.block({
    enableBeforeUnload: false,
    blockerFn: () => {
      remove();
      update();
      return false;
    },
  });
}
