import type { ReactNode } from "react";

import { Button, type ButtonProps } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

import styles from "./question.module.css";
import { createStore, useStore } from "./store.ts";

export interface Question<Answer extends string> {
  readonly title: string;
  readonly text: string;
  /** The buttons, the main one last; beside them there is always one that closes the question. */
  readonly answers: readonly { readonly value: Answer; readonly label: string; readonly kind?: ButtonProps["kind"] }[];
}

const asked = createStore<{ question: Question<string>; resolve(answer: string | null): void } | null>(null);

/** Asks the member something in a dialog; null: it was closed without an answer. A newer question replaces the older one. */
export function ask<Answer extends string>(question: Question<Answer>): Promise<Answer | null> {
  close(null);
  return new Promise((resolve) => asked.set({ question, resolve: (answer) => resolve(answer as Answer | null) }));
}

function close(answer: string | null): void {
  asked.get()?.resolve(answer);
  asked.set(null);
}

/** Where questions appear; once per page. */
export function QuestionArea(): ReactNode {
  const question = useStore(asked)?.question;
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
