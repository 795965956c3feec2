import type { ComponentType } from "react";

/** The code of a page, loaded on first use. */
export interface PageCode {
  load(): Promise<ComponentType>;
  /** The loaded component; `undefined` before it is loaded. */
  readonly loaded: ComponentType | undefined;
  /** Makes the next `load` retry after a failure. */
  reset(): void;
}

/**
 * Thrown if the code of a page could not be fetched, because the browser is offline or the server
 * has a newer version.
 */
export class PageLoadError extends Error {}

export function createPageCode(load: () => Promise<ComponentType>): PageCode {
  let loading: Promise<ComponentType> | undefined;
  let loaded: ComponentType | undefined;
  return {
    load() {
      loading ??= load().then(
        (page) => (loaded = page),
        (cause: unknown) => {
          throw new PageLoadError("A page could not be loaded.", { cause });
        },
      );
      return loading;
    },
    get loaded() {
      return loaded;
    },
    reset() {
      loading = undefined;
    },
  };
}
