import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type ComponentPropsWithRef,
  type ElementType,
} from "react";

import styles from "./menu.module.css";

export interface MenuProps {
  /** `name` is the button's accessible name. */
  trigger: ReactNode;
  name: string;
  /** Choosing a `menuitem` closes the menu, a `menuitemradio` does not. */
  children: ReactNode;
}

const itemRoles = '[role="menuitem"], [role="menuitemradio"]';

/** Opens on a click or an arrow key; closes on Escape, Tab, a choice or a click outside. */
export function Menu({ trigger, name, children }: MenuProps): ReactNode {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const close = (): void => menu.current?.hidePopover();
    addEventListener("popstate", close);
    return () => removeEventListener("popstate", close);
  }, []);
  const items = (): HTMLElement[] => [...(menu.current?.querySelectorAll<HTMLElement>(itemRoles) ?? [])];

  const openAt = (event: KeyboardEvent): void => {
    const at = { ArrowDown: 0, ArrowUp: -1 }[event.key];
    if (at === undefined) return;
    event.preventDefault();
    menu.current?.showPopover();
    items().at(at)?.focus();
  };
  const move = (event: KeyboardEvent): void => {
    if (event.key === "Tab") return menu.current?.hidePopover();
    const all = items();
    const here = all.findIndex((item) => item === document.activeElement);
    const next = nextItem(
      event.key,
      here,
      all.map((item) => item.textContent ?? ""),
    );
    if (next === null) return;
    event.preventDefault();
    all[next]?.focus();
  };

  return (
    <div className={styles["anchor"]}>
      <button
        ref={button}
        type="button"
        className={`touch-line ${styles["button"]}`}
        popoverTarget={id}
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onKeyDown={openAt}
      >
        {trigger}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={name}
        className={styles["menu"]}
        onKeyDown={move}
        onBeforeToggle={(event) => setOpen(event.newState === "open")}
        onToggle={(event) => {
          if (event.newState === "open" && !menu.current?.contains(document.activeElement)) items()[0]?.focus();
        }}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('[role="menuitem"]') !== null)
            menu.current?.hidePopover();
        }}
      >
        {children}
      </div>
    </div>
  );
}

/** Returns the item after `here`; a letter moves to the next item with that initial. `null` for other keys. */
export function nextItem(key: string, here: number, labels: readonly string[]): number | null {
  const last = labels.length - 1;
  if (last < 0) return null;
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key === "ArrowDown") return here >= last ? 0 : here + 1;
  if (key === "ArrowUp") return here <= 0 ? last : here - 1;
  if (key.length !== 1 || key === " ") return null;
  const letter = key.toLocaleLowerCase("de");
  const order = labels.map((_, step) => (here + 1 + step) % labels.length);
  return order.find((index) => labels[index]?.trim().toLocaleLowerCase("de").startsWith(letter)) ?? null;
}

type MenuItemProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  readonly as?: Tag;
};

/** Renders a button or link. */
export function MenuItem<Tag extends ElementType = "button">({ as, ...props }: MenuItemProps<Tag>): ReactNode {
  const Element: ElementType = as ?? "button";
  const type = as === undefined && { type: "button" };
  return <Element {...type} {...props} className={styles["item"]} role="menuitem" tabIndex={-1} />;
}
