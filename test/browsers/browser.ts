/** Browser with one window; contains only the operations that all tested browsers support. */
export interface Browser {
  /** Opens an address and waits until it has loaded. */
  goto(url: string): Promise<void>;
  /**
   * Runs an async function in the page. The function cannot use variables from outside; arguments and result are sent as JSON.
   */
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /** Performs pointer and key actions. */
  performActions(sources: readonly InputSource[]): Promise<void>;
  /** Selects a file by its path in the first file field that matches the CSS selector, even a hidden one. */
  setFile(selector: string, path: string): Promise<void>;
  /** Returns the visible part of the page as PNG. */
  screenshot(): Promise<Buffer>;
  /** Ends the browser and all its processes. */
  close(): Promise<void>;
}

/** Size of the viewport in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Input format of both WebDriver and WebDriver BiDi: https://www.w3.org/TR/webdriver2/#actions */
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
