import { useMutation } from "@tanstack/react-query";
import { Delete } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";

import type { Face } from "#contract/tablet.ts";
import { ApiError, somethingFailed } from "#web/client/api.ts";
import { createKey } from "#web/client/outbox-rules.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Stack } from "#web/ui/layout.tsx";
import styles from "./pin-dialog.module.css";
import { drinkWithPin } from "./tablet-api.ts";

/** A tap that waits for the PIN of its face. */
export interface PinTap {
  readonly face: Face;
  readonly kind: "0,0" | null;
}

interface PinDialogProps {
  readonly token: string;
  readonly tap: PinTap | null;
  readonly onBooked: (tap: PinTap, key: string) => void;
  /** `key`: of a beer that may have been booked, because no answer has arrived. */
  readonly onClose: (key: string | null) => void;
}

export function PinDialog({ token, tap, onBooked, onClose }: PinDialogProps): ReactNode {
  const unanswered = useRef<string | null>(null);
  const close = (): void => {
    onClose(unanswered.current);
    unanswered.current = null;
  };
  const book = (booked: PinTap, key: string): void => {
    unanswered.current = null;
    onBooked(booked, key);
  };
  return (
    <Dialog
      title={tap ? `PIN von ${tap.face.name}` : "PIN"}
      isOpen={tap !== null}
      onClose={close}
      footer={<Button onClick={close}>Abbrechen</Button>}
    >
      {tap && <PinPad token={token} tap={tap} onBooked={book} onUnanswered={(key) => (unanswered.current = key)} />}
    </Dialog>
  );
}

const length = 4;

interface PinPadProps extends Pick<PinDialogProps, "token" | "onBooked"> {
  readonly tap: PinTap;
  readonly onUnanswered: (key: string) => void;
}

function PinPad({ token, tap, onBooked, onUnanswered }: PinPadProps): ReactNode {
  const [pin, setPin] = useState("");
  /** One key for all attempts, of which at most one books. */
  const [key] = useState(createKey);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (typed: string) => drinkWithPin(token, tap.face, { key, kind: tap.kind, pin: typed }),
    meta: { showsErrors: true },
    onSuccess: () => onBooked(tap, key),
    onError(failure) {
      if (!(failure instanceof ApiError) || failure.status === 0) onUnanswered(key);
      setPin("");
    },
  });
  function type(digit: string): void {
    if (isPending || pin.length === length) return;
    const typed = pin + digit;
    setPin(typed);
    if (typed.length === length) mutate(typed);
  }
  const erase = (): void => setPin(isPending ? pin : pin.slice(0, -1));
  return (
    <Stack>
      <p className={styles["dots"]} role="status" aria-label={`${pin.length} von ${length} Ziffern`}>
        {Array.from({ length }, (_, place) => (
          <span key={place} data-typed={place < pin.length || undefined} />
        ))}
      </p>
      <p className={styles["error"]} role="alert">
        {error && pin === "" && describeFailure(error)}
      </p>
      <div className={styles["keys"]}>
        {["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0"].map((digit) =>
          digit === "" ? (
            <span key="none" />
          ) : (
            <button key={digit} type="button" className={styles["key"]} onClick={() => type(digit)}>
              {digit}
            </button>
          ),
        )}
        <button type="button" className={styles["key"]} aria-label="Ziffer löschen" onClick={erase}>
          <Delete size={28} />
        </button>
      </div>
    </Stack>
  );
}

function describeFailure(error: Error): string {
  if (!(error instanceof ApiError)) return somethingFailed;
  return error.errors["pin"]?.[0] ?? (error.status === 0 ? pinNeedsConnection : error.message);
}

export const pinNeedsConnection = "Keine Verbindung: Striche mit PIN gehen gerade nicht.";
