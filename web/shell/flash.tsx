import { X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { createPortal } from "react-dom";

import { createStore, useStore } from "#web/data/store.ts";
import { navigate } from "#web/router/navigation.ts";
import { createFlashTimer } from "./flash-timer.ts";
import styles from "./flash.module.css";

export interface Flash {
  type: "success" | "error" | "warning" | "info";
  text: string;
  /** Subject of the message, for code that depends on the message currently shown. */
  topic?: string;
  /**
   * A picture from `flashPicture`. The code of `flashPicture` is in a separate file, because guests
   * see no pictures and should not load that code.
   */
  picture?: ReactNode;
  /** Path within the app that the text links to. */
  link?: string;
  /** A button beside the text, e.g. for an undo. */
  action?: { label: string; run: () => void };
  /**
   * Id of the element from behind which the flash slides out, if that element is in the viewport.
   */
  anchor?: string;
}

/** Milliseconds for which a flash is shown; pointer and focus stop the timer. */
const visibleDuration = 3000;
/** Milliseconds of the exit animation. */
const leaveDuration = 150;
/** Milliseconds after a finger is lifted in which its click may still arrive. */
const clickDelay = 300;

const current = createStore<Flash | null>(null);

/** Shows a flash message over the page; replaces the previous one. */
export function showFlash(flash: Flash): void {
  current.set({ ...flash });
}

/** Hides the flash message before its time is over. */
export function clearFlash(): void {
  current.set(null);
}

/** Returns the flash message on the screen; `null` without one. */
export function useFlash(): Flash | null {
  return useStore(current);
}

/** Renders the flash messages; mounted once per page. */
export function FlashArea(): ReactNode {
  const flash = useFlash();
  const [shown, setShown] = useState(flash);
  const [count, setCount] = useState(0);
  const [isPressed, setPressed] = useState(false);
  // A flash neither disappears nor changes while it is pressed.
  if (flash !== null && flash !== shown && !isPressed) {
    setShown(flash);
    setCount(count + 1);
  }
  useEffect(() => {
    // Only one timer may set `null`: a second `null` would remain in React's queue and mount the
    // next flash twice.
    if (shown === null || flash !== null || isPressed) return;
    const timer = setTimeout(() => setShown(null), leaveDuration);
    return () => clearTimeout(timer);
  }, [shown, flash, isPressed]);
  useEffect(() => {
    if (!isPressed) return;
    const listeners = new AbortController();
    const release = (): void => void setTimeout(() => setPressed(false), clickDelay);
    addEventListener("click", () => setPressed(false), { signal: listeners.signal });
    addEventListener("pointerup", release, { signal: listeners.signal });
    addEventListener("pointercancel", release, { signal: listeners.signal });
    return () => listeners.abort();
  }, [isPressed]);
  return shown === null ? null : (
    <InOpenDialog>
      <FlashCard key={count} flash={shown} isLeaving={flash === null && !isPressed} onPressed={setPressed} />
    </InOpenDialog>
  );
}

/**
 * Renders its children in a portal in the open dialog, if any, because everything outside of a
 * modal dialog is inert and not read aloud.
 */
function InOpenDialog({ children }: { children: ReactNode }): ReactNode {
  const dialog = useOpenDialog();
  return dialog === undefined ? children : createPortal(children, dialog);
}

/** Returns the dialog that was opened last, if it is still open. */
export function useOpenDialog(): Element | undefined {
  return useSyncExternalStore(watchDialogs, findOpenDialog);
}

function findOpenDialog(): Element | undefined {
  return [...document.querySelectorAll("dialog[open]")].at(-1);
}

function watchDialogs(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { attributeFilter: ["open"], childList: true, subtree: true });
  return () => observer.disconnect();
}

interface FlashCardProps {
  flash: Flash;
  isLeaving: boolean;
  onPressed: (isPressed: boolean) => void;
}

function FlashCard({ flash, isLeaving, onPressed }: FlashCardProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [clock] = useState(() => createFlashTimer(visibleDuration, clearFlash));
  const [place] = useState(() => placeBelow(flash.anchor));
  // `true` places a flash with a button at the lower edge of the window, unless a dialog is open,
  // whose buttons are at that edge.
  const [isNear] = useState(() => flash.action !== undefined && document.querySelector("dialog[open]") === null);
  useEffect(() => {
    // A popover is in the top layer and therefore above an open dialog.
    frame.current?.showPopover();
    clock.start();
    return clock.stop;
  }, [clock]);
  return (
    <div
      ref={frame}
      popover="manual"
      className={styles["frame"]}
      style={place ?? undefined}
      data-tone={flash.type}
      data-place={place ? "below" : isNear ? "near" : undefined}
      data-leaving={isLeaving || undefined}
      onPointerDown={() => onPressed(true)}
      onPointerEnter={() => clock.hold("pointer")}
      onPointerLeave={() => clock.release("pointer")}
      onFocus={() => clock.hold("focus")}
      onBlur={() => clock.release("focus")}
    >
      <div className={styles["card"]} data-flash={flash.type} role={flash.type === "error" ? "alert" : "status"}>
        {flash.picture ?? (place === null && <span className={styles["sign"]} aria-hidden="true" />)}
        <p className={styles["text"]}>
          {flash.link === undefined ? flash.text : <FlashLink {...flash} href={flash.link} />}
        </p>
      </div>
      {flash.action && (
        <button type="button" className={styles["action"]} onClick={flash.action.run}>
          {flash.action.label}
        </button>
      )}
      <button type="button" className={`touch-target ${styles["close"]}`} aria-label="Schließen" onClick={clearFlash}>
        <X size={20} />
      </button>
    </div>
  );
}

function FlashLink({ href, text }: { href: string; text: string }): ReactNode {
  return (
    <a
      href={href}
      onClick={(event) => {
        event.preventDefault();
        clearFlash();
        navigate(href);
      }}
    >
      {text}
    </a>
  );
}

/** Pixels by which an anchored flash is narrower than its anchor on either side. */
const anchorInset = 16;

/**
 * Returns the position below the anchor in px of the page; `null` if the anchor is missing or
 * outside of the viewport.
 */
function placeBelow(id: string | undefined): { left: number; top: number; width: number } | null {
  const anchor = id === undefined ? null : document.getElementById(id);
  if (!anchor) return null;
  const { left, bottom, width } = anchor.getBoundingClientRect();
  if (bottom < 0 || bottom > innerHeight) return null;
  return { left: left + scrollX + anchorInset, top: bottom + scrollY, width: width - 2 * anchorInset };
}
