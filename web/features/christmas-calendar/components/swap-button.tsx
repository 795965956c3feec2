import { ArrowLeftRight, Undo2 } from "lucide-react";
import { useState, type ReactNode } from "react";

import { offerSwap as offerSwapEndpoint, type OwnDoors } from "#contract/calendar-lottery.ts";
import { type OwnDoor, dayNumber } from "#contract/christmas-calendar.ts";
import { DialogForm } from "#web/forms/dialog-form.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { textOf } from "#web/forms/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Select } from "#web/ui/select.tsx";
import { endSwap, offerSwap, useSwapPartners } from "../queries.ts";

/** A pending offer to exchange one of the logged-in member's doors. */
export type SwapOffer = OwnDoors["own_offers"][number];

interface SwapButtonProps {
  readonly door: OwnDoor;
  readonly offer: SwapOffer | undefined;
}

/** Offers one of the member's doors to another member for exchange, or withdraws that offer. */
export function SwapButton({ door, offer }: SwapButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const withdraw = useAction(() => endSwap(offer!.id));
  const name = `Türchen ${dayNumber(door.date)}`;
  const close = (): void => setOpen(false);
  if (offer !== undefined)
    return (
      <Button
        isWide
        isBusy={withdraw.isPending}
        aria-label={`Angebot für ${name} zurückziehen`}
        onClick={() => void withdraw.run()}
      >
        <Undo2 size={20} />
        Zurückziehen
      </Button>
    );
  return (
    <>
      <Button isWide aria-label={`${name} tauschen`} onClick={() => setOpen(true)}>
        <ArrowLeftRight size={20} />
        Tauschen
      </Button>
      <Dialog title={`${name} tauschen`} isOpen={isOpen} onClose={close}>
        {isOpen && <OfferForm door={door} onClose={close} />}
      </Dialog>
    </>
  );
}

function OfferForm({ door, onClose }: { door: OwnDoor; onClose: () => void }): ReactNode {
  const partners = useSwapPartners();
  const send = async (values: FormData): Promise<string> => {
    const text = await offerSwap(door.date, Number(textOf(values, "member_id")));
    onClose();
    return text;
  };
  return (
    <QueryState
      query={partners}
      failedText="Mit wem du tauschen kannst, ließ sich gerade nicht laden."
      skeleton={<Skeleton lines={3} />}
    >
      {(members) =>
        members.length === 0 ? (
          <p>Gerade hat sonst niemand ein Türchen, das noch zu ist.</p>
        ) : (
          <DialogForm endpoint={offerSwapEndpoint} action="Fragen" onSend={send} onClose={onClose}>
            <p>
              {door.picture === null
                ? "Wen fragst du? Wer Ja sagt, sucht sich aus, welches eigene Türchen du dafür bekommst."
                : "Wen fragst du? Wer Ja sagt, sucht sich aus, welches eigene Türchen du dafür bekommst. Dein Bild zieht mit um."}
            </p>
            <Select
              label="Mitglied"
              name="member_id"
              options={members.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          </DialogForm>
        )
      }
    </QueryState>
  );
}
