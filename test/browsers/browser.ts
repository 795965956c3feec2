/** A browser of its own with one window, as far as every browser here can be driven. */
export interface Browser {
  /** Opens an address and waits until it has loaded. */
  goto(url: string): Promise<void>;
  /** Runs a function in the page and awaits it. It sees nothing of its own file; arguments and result travel as JSON. */
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /** Moves pointer and keys. */
  performActions(sources: readonly InputSource[]): Promise<void>;
  /** Picks a file, by its path, in the first file field that the CSS selector finds, also in a hidden one. */
  setFile(selector: string, path: string): Promise<void>;
  /** What the window shows, as PNG. */
  screenshot(): Promise<Buffer>;
  /** Ends the browser and everything that was started for it. */
  close(): Promise<void>;
}

/** The part of a page that the window shows, in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The same in WebDriver and in WebDriver BiDi: https://www.w3.org/TR/webdriver2/#actions */
export type InputSource =
  | { readonly type: "pointer"; readonly id: string; readonly actions: readonly PointerAction[] }
  | { readonly type: "key"; readonly id: string; readonly actions: readonly KeyAction[] };

type PointerAction =
  | { readonly type: "pointerMove"; readonly x: number; readonly y: number }
  | { readonly type: "pointerDown" | "pointerUp"; readonly button: number };

interface KeyAction {
  readonly type: "keyDown" | "keyUp";
  readonly value: string;
}
