import { useRouter } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { createPortal } from "react-dom";

import { ApiError, somethingFailed } from "#web/client/api.ts";
import { createStore } from "#web/client/store.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { IconButton } from "#web/ui/button.tsx";
import styles from "./messages.module.css";
import { useStore } from "./session.ts";

export interface Message {
  readonly type: "success" | "error" | "warning" | "info";
  readonly text: string;
  /** Subject, for code that depends on the message on the screen. */
  readonly topic?: string;
  /** `avatarId` is `null` for the default picture. */
  readonly member?: { readonly name: string; readonly avatarId: string | null };
  /** Path within the app. */
  readonly link?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Id of the element from behind which the message slides out, if it is in the viewport. */
  readonly anchor?: string;
}

interface ShownMessage extends Message {
  readonly id: number;
  readonly isLeaving?: true;
}

/** Pointer and focus hold a message longer. */
const visibleMs = 3000;
/** Duration of the exit animation. */
const leaveMs = 150;
/** Within this time, a lifted finger's click may still arrive. */
const clickDelayMs = 300;

const current = createStore<ShownMessage | null>(null);
let messages = 0;

/** Replaces the previous message. */
export function showMessage(message: Message): void {
  messages += 1;
  current.set({ ...message, id: messages });
}

/** Shows why a change failed. */
export function showFailure(error: Error): void {
  if (!(error instanceof ApiError)) reportError(error);
  showMessage({ type: "error", text: error instanceof ApiError ? error.message : somethingFailed });
}

export function hideMessage(): void {
  const shown = current.get();
  if (shown === null || shown.isLeaving) return;
  current.set({ ...shown, isLeaving: true });
  setTimeout(() => current.get()?.id === shown.id && current.set(null), leaveMs);
}

/** Returns `null` without a message. */
export function useMessage(): Message | null {
  const message = useStore(current);
  return message?.isLeaving ? null : message;
}

export function getMessage(): Message | null {
  const message = current.get();
  return message?.isLeaving ? null : message;
}

export function Messages(): ReactNode {
  const newest = useStore(current);
  // A message neither disappears nor changes under a finger, the pointer or the focus.
  const [held, setHeld] = useState<ShownMessage | null>(null);
  const message = held ?? newest;
  const dialog = useOpenDialog();
  if (message === null) return null;
  const card = (
    <MessageCard
      key={message.id}
      message={message}
      isHeld={held !== null}
      onHold={(isHeld) => setHeld(isHeld ? message : null)}
    />
  );
  // Everything outside of a modal dialog is inert and not read aloud.
  return dialog ? createPortal(card, dialog) : card;
}

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

interface MessageCardProps {
  readonly message: ShownMessage;
  readonly isHeld: boolean;
  readonly onHold: (isHeld: boolean) => void;
}

function MessageCard({ message, isHeld, onHold }: MessageCardProps): ReactNode {
  const { type, text, member, link, action, anchor, isLeaving } = message;
  const router = useRouter();
  const frame = useRef<HTMLDivElement>(null);
  const releasing = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A dialog has its text and buttons at these places.
  const [isOverDialog] = useState(() => findOpenDialog() !== undefined);
  const [place] = useState(() => (isOverDialog ? null : placeBelow(anchor)));
  // Within reach of the thumb.
  const isNear = action !== undefined && !isOverDialog;
  useEffect(() => {
    // A popover is in the top layer and therefore above an open dialog.
    frame.current?.showPopover();
  }, []);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(hideMessage, visibleMs);
    return () => clearTimeout(timer);
  }, [isHeld]);
  const hold = (): void => {
    clearTimeout(releasing.current);
    onHold(true);
  };
  const release = (): void => {
    clearTimeout(releasing.current);
    releasing.current = setTimeout(() => onHold(false), clickDelayMs);
  };
  const leave = (): void => {
    onHold(false);
    hideMessage();
  };
  return (
    <div
      ref={frame}
      popover="manual"
      className={styles["frame"]}
      style={place ?? undefined}
      data-tone={type}
      data-place={place ? "below" : isNear ? "near" : undefined}
      data-leaving={(isLeaving && !isHeld) || undefined}
      onPointerEnter={hold}
      onPointerDown={hold}
      onPointerLeave={release}
      onPointerCancel={release}
      onFocus={hold}
      onBlur={release}
    >
      <div className={styles["card"]} data-flash={type} role={type === "error" ? "alert" : "status"}>
        {member ? (
          <Avatar id={member.avatarId} name={member.name} size={40} />
        ) : (
          place === null && <span className={styles["sign"]} aria-hidden="true" />
        )}
        <p className={styles["text"]}>
          {link === undefined ? (
            text
          ) : (
            <a
              href={link}
              onClick={(event) => {
                event.preventDefault();
                leave();
                router.history.push(link);
              }}
            >
              {text}
            </a>
          )}
        </p>
      </div>
      {action && (
        <button
          type="button"
          className={styles["action"]}
          onClick={() => {
            onHold(false);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton className={styles["close"]} label="Schließen" onClick={leave}>
        <X size={20} />
      </IconButton>
    </div>
  );
}

/** Pixels by which an anchored message is narrower than its anchor on either side. */
const anchorInset = 16;

/** Returns px of the page; `null` if the anchor is missing or out of the viewport. */
function placeBelow(id: string | undefined): { left: number; top: number; width: number } | null {
  const anchor = id === undefined ? null : document.getElementById(id);
  if (!anchor) return null;
  const { left, bottom, width } = anchor.getBoundingClientRect();
  if (bottom < 0 || bottom > innerHeight) return null;
  return { left: left + scrollX + anchorInset, top: bottom + scrollY, width: width - 2 * anchorInset };
}
