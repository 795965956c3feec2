import { useEffect, useRef, type ReactNode } from "react";

import { createStore, useStore } from "#web/data/store.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DialogForm, type DialogFormProps } from "./dialog-form.tsx";

interface ConfirmStepProps extends Omit<DialogFormProps, "onSend"> {
  /** Runs after the member confirms, with the values of the fields; then the dialog is closed. */
  readonly onConfirm: (values: FormData) => Promise<string | void>;
}

export interface ConfirmProps extends ConfirmStepProps {
  readonly title: string;
  readonly isOpen: boolean;
}

/** A dialog that asks for a confirmation; its children describe the consequences of the action. */
export function Confirm({ title, isOpen, ...step }: ConfirmProps): ReactNode {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={step.onClose}>
      <ConfirmStep {...step} />
    </Dialog>
  );
}

/** Asks for a confirmation within a dialog that is already open. */
export function ConfirmStep({ onConfirm, kind = "danger", ...form }: ConfirmStepProps): ReactNode {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  async function send(values: FormData): Promise<string | void> {
    const text = await onConfirm(values);
    // Before the answer arrived, the member may have closed this dialog and opened another one,
    // which must stay open.
    if (isShown.current) form.onClose();
    return text;
  }
  return <DialogForm {...form} kind={kind} onSend={send} />;
}

interface Question extends Pick<ConfirmProps, "title" | "action" | "kind"> {
  readonly text: string;
  /** Label of the button for an alternative action. */
  readonly otherAction?: string;
}

/** The pressed button; `null` if the member cancelled. */
type Answer = "action" | "other" | null;

interface ConfirmRequest extends Question {
  resolve(answer: Answer): void;
}

const requested = createStore<ConfirmRequest | null>(null);

/**
 * Asks for a confirmation, even from code outside of components; resolves to `true` if the member
 * confirms. A new question cancels an open one.
 */
export async function confirm(question: Omit<Question, "otherAction">): Promise<boolean> {
  return (await choose(question)) === "action";
}

/** Asks the member to choose one of two actions; resolves to `null` if the member cancels. */
export function choose(question: Question): Promise<Answer> {
  requested.get()?.resolve(null);
  return new Promise((resolve) => requested.set({ ...question, resolve }));
}

/** Renders the questions of `confirm` and `choose`; mounted once per page. */
export function ConfirmArea(): ReactNode {
  const request = useStore(requested);
  // Another member who logs in on this page must not see the previous member's question.
  useEffect(() => () => requested.set(null), []);
  function close(answer: Answer = null): void {
    request?.resolve(answer);
    // The caller may have asked another question already, which must not be closed.
    if (requested.get() === request) requested.set(null);
  }
  return (
    <Confirm
      title={request?.title ?? ""}
      isOpen={request !== null}
      action={request?.action ?? ""}
      kind={request?.kind ?? "danger"}
      secondAction={request?.otherAction && <Button onClick={() => close("other")}>{request.otherAction}</Button>}
      onConfirm={async () => request?.resolve("action")}
      onClose={() => close()}
    >
      <p>{request?.text}</p>
    </Confirm>
  );
}
