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
  /** The link component to render, e.g. `PageLink`. */
  readonly as: ComponentType<ComponentPropsWithRef<"a"> & { href: string; className?: string | undefined }>;
  readonly href: string;
}

/**
 * A drinker's small picture that links to the member page. Hover and focus show a large version
 * until Escape is pressed.
 */
export function DrinkerPicture({ name, avatarId, as: Link, href }: DrinkerPictureProps): ReactNode {
  const link = useRef<HTMLAnchorElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const popupId = useId();
  const [isOpen, setIsOpen] = useState(false);
  /** `true` until the closed popup has faded out. */
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
    // Closes the popup even without `pointerleave`: browsers do not fire it when a bar moves in the
    // ranking, because its element is removed and added again.
    document.addEventListener(
      "pointerover",
      ({ pointerType, target }) => {
        const isInside = target instanceof Node && [link, popup].some(({ current }) => current?.contains(target));
        if (pointerType === "mouse" && !isInside && !link.current?.matches(":focus-visible")) close();
      },
      { signal },
    );
    // When the focus moves by key, the browser scrolls the page; the popup must follow its picture.
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

/** Height in px of the large picture with its name and frame. */
const popupHeight = largeSize + 64;

/**
 * Returns the popup's position above the small picture, or below it if there is no room, within the
 * window.
 */
function positionBeside(small: HTMLElement): PopupPosition {
  const { left, width, top, bottom } = small.getBoundingClientRect();
  const margin = largeSize / 2 + 20;
  const middle = Math.min(Math.max(left + width / 2, margin), window.innerWidth - margin);
  const isAbove = top >= popupHeight;
  return { left: middle, top: isAbove ? top : bottom, translate: isAbove ? "-50% calc(-100% + 2px)" : "-50% -2px" };
}
