import { useEffect, useRef, type ReactNode } from "react";

import { confirmPassword } from "#contract/confirm-password.ts";
import { createStore } from "#web/client/store.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formFor, type DialogFormProps } from "./form.tsx";
import { useStore } from "./session.ts";

const { DialogForm, Field } = formFor(confirmPassword);

interface ConfirmStepProps extends Omit<DialogFormProps<typeof confirmPassword>, "onSend" | "readMore"> {
  /** Runs after the member confirms, with the password if it was asked for; then the dialog is closed. */
  readonly onConfirm: (password: string, form: HTMLFormElement) => Promise<string | void>;
  /** The label of a field for the current password; without a label, the form has no such field. */
  readonly passwordLabel?: string | undefined;
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
    // The member may have closed this dialog and opened another one, which must stay open.
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
  /** Label of the button for an alternative action. */
  readonly otherAction?: string;
}

/** The pressed button; `null` if the member cancelled. */
type Answer = "action" | "other" | null;

interface ConfirmRequest extends Question {
  resolve(answer: Answer): void;
}

const requested = createStore<ConfirmRequest | null>(null);

/** Asks for a confirmation, even from code outside of components. A new question cancels an open one. */
export async function confirm(question: Omit<Question, "otherAction">): Promise<boolean> {
  return (await choose(question)) === "action";
}

/** Asks the member to choose one of two actions; resolves to `null` if the member cancels. */
export function choose(question: Question): Promise<Answer> {
  requested.get()?.resolve(null);
  return new Promise((resolve) => requested.set({ ...question, resolve }));
}

/** Renders the questions of `confirm` and `choose`; mounted once per page. */
export function Confirms(): ReactNode {
  const request = useStore(requested);
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
