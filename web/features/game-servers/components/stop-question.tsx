import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

export interface StopQuestionProps {
  /** The server's. */
  name: string;
  question: string;
  isOpen: boolean;
  onAnswer: (isSure: boolean) => void;
}

/** Asked before a server is stopped while somebody plays on it. */
export function StopQuestion({ name, question, isOpen, onAnswer }: StopQuestionProps): ReactNode {
  return (
    <Dialog
      title={`${name} herunterfahren?`}
      isOpen={isOpen}
      onClose={() => onAnswer(false)}
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>Abbrechen</Button>
          <Button kind="danger" onClick={() => onAnswer(true)}>
            Trotzdem herunterfahren
          </Button>
        </>
      }
    >
      <p>
        <bdi>{question}</bdi>
      </p>
      <p>Sag ihnen am besten vorher Bescheid.</p>
    </Dialog>
  );
}
