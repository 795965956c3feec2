import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";

import { Avatar } from "#web/ui/avatar.tsx";
import styles from "./drinker-picture.module.css";

const largeSize = 176;
const fadeMs = 150;

/** A small picture that shows itself large under the pointer, on focus and on a tap; Escape or a tap elsewhere closes it. */
export function DrinkerPicture({ name, avatarId }: { name: string; avatarId: string | null }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const popupId = useId();
  const [isOpen, setIsOpen] = useState(false);
  /** Longer than open: until it has faded. */
  const [isMounted, setIsMounted] = useState(false);
  const [position, setPosition] = useState<PopupPosition>();

  function open(): void {
    if (button.current) setPosition(positionBeside(button.current));
    setIsMounted(true);
    setIsOpen(true);
  }

  useEffect(() => {
    if (isOpen || !isMounted) return;
    const timer = setTimeout(() => setIsMounted(false), fadeMs);
    return () => clearTimeout(timer);
  }, [isOpen, isMounted]);

  useEffect(() => {
    if (!isOpen) return;
    const listeners = new AbortController();
    const { signal } = listeners;
    const close = (): void => setIsOpen(false);
    const closeUnlessInside = (event: Event): void => {
      if (event.target instanceof Node && !button.current?.contains(event.target)) close();
    };
    document.addEventListener("keydown", (event) => event.key === "Escape" && close(), { signal });
    document.addEventListener("pointerdown", closeUnlessInside, { signal });
    // A bar that moves in the ranking is removed and added again, for which the browser fires no pointerleave.
    document.addEventListener(
      "pointerover",
      ({ pointerType, target }) => {
        const isInside = target instanceof Node && [button, popup].some(({ current }) => current?.contains(target));
        if (pointerType === "mouse" && !isInside && !button.current?.matches(":focus-visible")) close();
      },
      { signal },
    );
    // The focus of a key scrolls by itself to where it is seen.
    const follow = (): void => (button.current?.matches(":focus-visible") ? open() : close());
    document.addEventListener("scroll", follow, { signal, capture: true, passive: true });
    return () => listeners.abort();
  }, [isOpen]);

  return (
    <>
      <button
        ref={button}
        type="button"
        className={`touch-target ${styles["small"]}`}
        aria-label={`Bild von ${name} vergrößern`}
        aria-describedby={isMounted ? popupId : undefined}
        onClick={open}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && open()}
        onBlur={() => setIsOpen(false)}
        onPointerEnter={(event) => event.pointerType === "mouse" && open()}
        onPointerLeave={(event) => event.pointerType === "mouse" && setIsOpen(false)}
      >
        <Avatar id={avatarId} name={name} size={40} />
      </button>
      {isMounted &&
        createPortal(
          <div
            ref={popup}
            id={popupId}
            role="tooltip"
            className={styles["large"]}
            style={position}
            data-open={isOpen}
            onPointerEnter={open}
            onPointerLeave={(event) => event.pointerType === "mouse" && setIsOpen(false)}
          >
            <Avatar id={avatarId} name={name} size={largeSize} />
            <span className={`one-line ${styles["name"]}`}>{name}</span>
          </div>,
          document.body,
        )}
    </>
  );
}

interface PopupPosition {
  readonly left: number;
  readonly top: number;
  readonly translate: string;
}

/** The picture with its name and frame, in px. */
const popupHeight = largeSize + 64;

/** Above the picture, or below where there is no room above; inside the window. */
function positionBeside(small: HTMLElement): PopupPosition {
  const { left, width, top, bottom } = small.getBoundingClientRect();
  const margin = largeSize / 2 + 20;
  const middle = Math.min(Math.max(left + width / 2, margin), window.innerWidth - margin);
  const isAbove = top >= popupHeight;
  return { left: middle, top: isAbove ? top : bottom, translate: isAbove ? "-50% calc(-100% + 2px)" : "-50% -2px" };
}
