import {
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentPropsWithRef,
  type ComponentType,
  type ReactNode,
} from "react";
import { createPortal } from "react-dom";

import { Avatar } from "#web/ui/avatar.tsx";
import styles from "./drinker-picture.module.css";

const largeSize = 176;
const fadeMs = 150;

interface DrinkerPictureProps {
  readonly name: string;
  readonly avatarId: string | null;
  /** The link component of the app. */
  readonly as: ComponentType<ComponentPropsWithRef<"a"> & { href: string; className?: string | undefined }>;
  readonly href: string;
}

/** A small picture that shows itself large under the pointer and on focus, until Escape; it leads to the page of the drinker. */
export function DrinkerPicture({ name, avatarId, as: Link, href }: DrinkerPictureProps): ReactNode {
  const link = useRef<HTMLAnchorElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const popupId = useId();
  const [isOpen, setIsOpen] = useState(false);
  /** Longer than open: until it has faded. */
  const [isMounted, setIsMounted] = useState(false);
  const [position, setPosition] = useState<PopupPosition>();

  function open(): void {
    if (link.current) setPosition(positionBeside(link.current));
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
    document.addEventListener("keydown", (event) => event.key === "Escape" && close(), { signal });
    document.addEventListener("pointerdown", close, { signal });
    // A bar that moves in the ranking is removed and added again, for which the browser fires no pointerleave.
    document.addEventListener(
      "pointerover",
      ({ pointerType, target }) => {
        const isInside = target instanceof Node && [link, popup].some(({ current }) => current?.contains(target));
        if (pointerType === "mouse" && !isInside && !link.current?.matches(":focus-visible")) close();
      },
      { signal },
    );
    // The focus of a key scrolls by itself to where it is seen.
    const follow = (): void => (link.current?.matches(":focus-visible") ? open() : close());
    document.addEventListener("scroll", follow, { signal, capture: true, passive: true });
    return () => listeners.abort();
  }, [isOpen]);

  return (
    <>
      <Link
        ref={link}
        href={href}
        className={`touch-target ${styles["small"]}`}
        aria-label={`Deckel von ${name}`}
        aria-describedby={isMounted ? popupId : undefined}
        draggable={false}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && open()}
        onBlur={() => setIsOpen(false)}
        onPointerEnter={(event) => event.pointerType === "mouse" && open()}
        onPointerLeave={(event) => event.pointerType === "mouse" && setIsOpen(false)}
      >
        <Avatar id={avatarId} name={name} size={40} />
      </Link>
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
