import type { ReactNode } from "react";

import { Button, type ButtonProps } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

import styles from "./confirm.module.css";
import { createStore, useStore } from "./store.ts";

export interface ConfirmOptions<Answer extends string> {
  readonly title: string;
  readonly text: string;
  /** The buttons, the main one last; beside them there is always one that closes the question. */
  readonly answers: readonly { readonly value: Answer; readonly label: string; readonly kind?: ButtonProps["kind"] }[];
}

const pending = createStore<{ question: ConfirmOptions<string>; resolve(answer: string | null): void } | null>(null);

/** Asks the member something in a dialog; null: it was closed without an answer. A newer question replaces the older one. */
export function confirm<Answer extends string>(question: ConfirmOptions<Answer>): Promise<Answer | null> {
  close(null);
  return new Promise((resolve) => pending.set({ question, resolve: (answer) => resolve(answer as Answer | null) }));
}

function close(answer: string | null): void {
  pending.get()?.resolve(answer);
  pending.set(null);
}

/** Where questions appear; once per page. */
export function ConfirmArea(): ReactNode {
  const question = useStore(pending)?.question;
  return (
    <Dialog
      title={question?.title ?? ""}
      isOpen={question !== undefined}
      onClose={() => close(null)}
      footer={
        <>
          <Button onClick={() => close(null)}>Abbrechen</Button>
          {question?.answers.map(({ value, label, kind = "plain" }) => (
            <Button key={value} kind={kind} onClick={() => close(value)}>
              {label}
            </Button>
          ))}
        </>
      }
    >
      <p className={styles["text"]}>{question?.text}</p>
    </Dialog>
  );
}
