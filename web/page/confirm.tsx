import { useEffect, useRef, type ReactNode } from "react";

import { confirmPassword } from "#contract/confirm-password.ts";
import { createStore } from "#web/client/store.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formFor, type DialogFormProps } from "./form.tsx";
import { useStore } from "./session.ts";

const { DialogForm, Field } = formFor(confirmPassword);

interface ConfirmStepProps extends Omit<DialogFormProps<typeof confirmPassword>, "onSend" | "readMore"> {
  /** The password is empty if it was not asked for. Afterwards the dialog is closed. */
  readonly onConfirm: (password: string, form: HTMLFormElement) => Promise<string | void>;
  /** Without it, no password is asked for. */
  readonly passwordLabel?: string | undefined;
}

export interface ConfirmProps extends ConfirmStepProps {
  readonly title: string;
  readonly isOpen: boolean;
}

export function Confirm({ title, isOpen, ...step }: ConfirmProps): ReactNode {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={step.onClose}>
      <ConfirmStep {...step} />
    </Dialog>
  );
}

/** Asks within a dialog that is already open. */
export function ConfirmStep({
  onConfirm,
  passwordLabel,
  kind = "danger",
  children,
  ...rest
}: ConfirmStepProps): ReactNode {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  async function send({ password = "" }: { password?: string }, form: HTMLFormElement): Promise<string | void> {
    const text = await onConfirm(password, form);
    // The member may have opened another dialog, which must stay open.
    if (isShown.current) rest.onClose();
    return text;
  }
  return (
    <DialogForm {...rest} kind={kind} onSend={send}>
      {children}
      {passwordLabel !== undefined && (
        <Field label={passwordLabel} name="password" type="password" autoComplete="current-password" required />
      )}
    </DialogForm>
  );
}

interface Question extends Pick<ConfirmProps, "title" | "action" | "kind"> {
  readonly text: string;
  /** Label of the button. */
  readonly otherAction?: string;
}

/** `null` if the member canceled. */
type Answer = "action" | "other" | null;

interface ConfirmRequest extends Question {
  resolve(answer: Answer): void;
}

const requested = createStore<ConfirmRequest | null>(null);

/** Works outside of components, too. A new question cancels an open one. */
export async function confirm(question: Omit<Question, "otherAction">): Promise<boolean> {
  return (await choose(question)) === "action";
}

/** Resolves to `null` if the member cancels. */
export function choose(question: Question): Promise<Answer> {
  requested.get()?.resolve(null);
  return new Promise((resolve) => requested.set({ ...question, resolve }));
}

export function Confirms(): ReactNode {
  const request = useStore(requested);
  function close(answer: Answer = null): void {
    request?.resolve(answer);
    // The caller may have asked another question already.
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
