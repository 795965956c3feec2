import { X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { createPortal } from "react-dom";

import { createFlashTimer } from "./flash-timer.ts";
import styles from "./flash.module.css";
import { navigate } from "./location.ts";
import { createStore, useStore } from "./store.ts";

export interface Flash {
  type: "success" | "error" | "warning" | "info";
  text: string;
  /** Shown with it. Made by `flashPicture`, since guests, who see no pictures, need not load its code. */
  picture?: ReactNode;
  /** The inner path that its text leads to. */
  link?: string;
  /** What there is to do about it, with one tap. */
  action?: { label: string; run: () => void };
  /** The id of the element from behind which it slides out, if that is in the window. */
  anchor?: string;
}

/** How long a flash stays, in milliseconds; pointer and focus on it stop the clock. */
const visibleDuration = 3000;
/** How long it takes to slide away. */
const leaveDuration = 150;
/** How long after the thumb was lifted its tap may still arrive. */
const clickDelay = 300;

const current = createStore<Flash | null>(null);

/** Shows a message over the page; the newest replaces the older one. */
export function showFlash(flash: Flash): void {
  current.set({ ...flash });
}

/** Takes the message away before its time. */
export function clearFlash(): void {
  current.set(null);
}

/** The message on the screen, or null. */
export function useFlash(): Flash | null {
  return useStore(current);
}

/** Where flashes appear; once per page. */
export function FlashArea(): ReactNode {
  const flash = useFlash();
  const [shown, setShown] = useState(flash);
  const [count, setCount] = useState(0);
  const [isPressed, setPressed] = useState(false);
  // Nothing vanishes, and nothing else appears, under a thumb that is about to tap it.
  if (flash !== null && flash !== shown && !isPressed) {
    setShown(flash);
    setCount(count + 1);
  }
  useEffect(() => {
    // Setting null again would stay in React's queue and mount the next flash a second time.
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

/** Part of the open dialog, if there is one: what is outside of it is out of reach, and not read aloud. */
function InOpenDialog({ children }: { children: ReactNode }): ReactNode {
  const dialog = useSyncExternalStore(watchDialogs, findOpenDialog);
  return dialog === undefined ? children : createPortal(children, dialog);
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
  // Not over the buttons of an open dialog.
  const [isNear] = useState(() => flash.action !== undefined && document.querySelector("dialog[open]") === null);
  useEffect(() => {
    // The top layer, so that it also lies over an open dialog.
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

/** By how much what hangs below an element is narrower on either side, in px. */
const anchorInset = 16;

/** Where something lies that hangs below this element, in px of the page; null if there is no such element in the window. */
function placeBelow(id: string | undefined): { left: number; top: number; width: number } | null {
  const anchor = id === undefined ? null : document.getElementById(id);
  if (!anchor) return null;
  const { left, bottom, width } = anchor.getBoundingClientRect();
  if (bottom < 0 || bottom > innerHeight) return null;
  return { left: left + scrollX + anchorInset, top: bottom + scrollY, width: width - 2 * anchorInset };
}
