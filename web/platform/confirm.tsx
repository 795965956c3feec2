import { useEffect, useRef, type ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { DialogForm, type DialogFormProps } from "./dialog-form.tsx";
import { createStore, useStore } from "./store.ts";

interface ConfirmStepProps extends Omit<DialogFormProps, "onSend"> {
  /** Goes ahead; the dialog is closed afterwards. The values are those of the fields between. */
  readonly onConfirm: (values: FormData) => Promise<string | void>;
}

export interface ConfirmProps extends ConfirmStepProps {
  readonly title: string;
  readonly isOpen: boolean;
}

/** Asks in a dialog whether something shall really happen. Between the title and the buttons stands what will happen. */
export function Confirm({ title, isOpen, ...step }: ConfirmProps): ReactNode {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={step.onClose}>
      <ConfirmStep {...step} />
    </Dialog>
  );
}

/** The same within a dialog that is open already. */
export function ConfirmStep({ onConfirm, kind = "danger", ...form }: ConfirmStepProps): ReactNode {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  async function send(values: FormData): Promise<string | void> {
    const text = await onConfirm(values);
    // Who did not wait for the answer may have opened another dialog.
    if (isShown.current) form.onClose();
    return text;
  }
  return <DialogForm {...form} kind={kind} onSend={send} />;
}

interface Question extends Pick<ConfirmProps, "title" | "action" | "kind"> {
  readonly text: string;
  /** The label of a second way to go ahead. */
  readonly otherAction?: string;
}

/** `null`: neither. */
type Answer = "action" | "other" | null;

interface ConfirmRequest extends Question {
  resolve(answer: Answer): void;
}

const requested = createStore<ConfirmRequest | null>(null);

/** Asks from outside of a component; resolves to whether it was confirmed. A newer question replaces the older one. */
export async function confirm(question: Omit<Question, "otherAction">): Promise<boolean> {
  return (await choose(question)) === "action";
}

/** Asks which of two ways to go, or neither. */
export function choose(question: Question): Promise<Answer> {
  requested.get()?.resolve(null);
  return new Promise((resolve) => requested.set({ ...question, resolve }));
}

/** Where the questions of `confirm` appear; once per page. */
export function ConfirmArea(): ReactNode {
  const request = useStore(requested);
  // The next member of this page is not asked for the one before.
  useEffect(() => () => requested.set(null), []);
  function close(answer: Answer = null): void {
    request?.resolve(answer);
    // The caller may have asked the next question already.
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
