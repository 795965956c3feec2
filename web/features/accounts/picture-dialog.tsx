import { useMutation } from "@tanstack/react-query";
import { Check, ImagePlus, Trash2 } from "lucide-react";
import { useEffect, useRef, useState, type Dispatch, type ReactNode, type SetStateAction } from "react";

import type { User } from "#contract/members.ts";
import { confirm } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useClient } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Cropper, cropPicture, type PickedPicture, usePickedPicture } from "#web/ui/cropper.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { FileButton } from "#web/ui/field.tsx";
import { Spinner } from "#web/ui/icons.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { encodePng } from "#web/ui/picture-drawing.ts";
import { QueryState } from "#web/ui/query-state.tsx";
import { choosePicture, deletePicture, uploadPicture, usePictures } from "./api.ts";
import styles from "./picture-dialog.module.css";
import { describeCount, isFull, fullMessage, outputSide, uploadErrorText } from "./rules.ts";

/** A head in a portrait rarely fills the whole picture. */
const firstShare = 0.8;

export interface PictureChoice {
  readonly id: string | null;
}

interface PictureDialogProps {
  readonly member: User;
  readonly choice: PictureChoice | null;
  readonly onChoice: Dispatch<SetStateAction<PictureChoice | null>>;
}

export function PictureDialog({ member, choice, onChoice }: PictureDialogProps): ReactNode {
  const chosen = choice && choice.id;
  // An upload may end after the dialog was closed.
  const setChosen = (id: string | null): void => onChoice((open) => open && { id });
  const client = useClient();
  const fresh = usePickedPicture({
    firstShare,
    onUnreadable: () =>
      showMessage({ type: "error", text: "Dieses Bild lässt sich nicht öffnen. Nimm eins in JPG, PNG oder SVG." }),
  });
  const choosing = useMutation({
    mutationFn: () => choosePicture(client, chosen),
    meta: { showsErrors: true },
    onSuccess() {
      showMessage({
        type: "success",
        text: "Profilbild erfolgreich geändert.",
        member: { avatarId: chosen, name: member.name },
      });
      close();
    },
    onError: () => showMessage({ type: "error", text: "Beim ändern des Profilbilds ist ein Fehler aufgetreten." }),
  });
  const uploading = useMutation({
    async mutationFn(picked: PickedPicture) {
      const { id, message } = await uploadPicture(client, await encodePng(cropPicture(picked, outputSide)));
      fresh.discard();
      setChosen(id);
      return message;
    },
    meta: { showsErrors: true },
    onError: (error) => showMessage({ type: "error", text: uploadErrorText(error) }),
  });
  const deletion = useMutation({
    mutationFn: (id: string) => deletePicture(client, id, id === member.avatarId),
    onSuccess(_, id) {
      if (id === chosen) setChosen(id === member.avatarId ? null : member.avatarId);
    },
  });
  const isSending = choosing.isPending || uploading.isPending;
  const isDisabled = isSending || deletion.isPending;
  const close = (): void => {
    fresh.discard();
    onChoice(null);
  };
  const choose = (): void => (chosen === member.avatarId ? close() : choosing.mutate());
  const { current } = fresh;
  const footer = (
    <>
      <Button disabled={isDisabled} onClick={current ? fresh.discard : close}>
        Abbrechen
      </Button>
      {current ? (
        <Button kind="primary" isBusy={isSending} onClick={() => uploading.mutate(current)}>
          Hochladen
        </Button>
      ) : (
        <Button kind="primary" isBusy={isSending} disabled={isDisabled} onClick={choose}>
          OK
        </Button>
      )}
    </>
  );
  return (
    <Dialog title="Profilbild auswählen" isOpen={choice !== null} onClose={close} footer={footer}>
      <Stack>
        {current ? (
          <Cropper key={current.picture.url} {...current} onCrop={fresh.changeCrop} isDisabled={isSending} isRound />
        ) : (
          <PictureList
            member={member}
            chosen={chosen}
            deleting={deletion.isPending ? deletion.variables : null}
            isDisabled={isDisabled}
            onChoose={setChosen}
            onDelete={(id) =>
              deletion.mutateAsync(id).then(
                () => true,
                () => false,
              )
            }
          />
        )}
        <PictureButton label={current ? "Ändern" : "Hinzufügen"} isDisabled={isDisabled} onPick={fresh.pick} />
      </Stack>
    </Dialog>
  );
}

interface PictureButtonProps {
  readonly label: string;
  readonly isDisabled: boolean;
  readonly onPick: (file: File) => Promise<unknown>;
}

function PictureButton({ label, isDisabled, onPick }: PictureButtonProps): ReactNode {
  const { data: pictures = [] } = usePictures();
  const hasRoom = (): boolean => {
    if (isFull(pictures.length)) showMessage({ type: "warning", text: fullMessage });
    return !isFull(pictures.length);
  };
  return (
    <FileButton
      what="Neues Profilbild"
      accept=".jpg,.jpeg,.png,.svg,image/jpeg,image/png,image/svg+xml"
      isWide
      disabled={isDisabled}
      canPick={hasRoom}
      onPick={([file]) => void onPick(file!)}
    >
      <ImagePlus size={20} />
      {label}
    </FileButton>
  );
}

interface PictureListProps {
  readonly member: User;
  readonly chosen: string | null;
  readonly deleting: string | null;
  readonly isDisabled: boolean;
  readonly onChoose: (id: string | null) => void;
  readonly onDelete: (id: string) => Promise<boolean>;
}

function PictureList({ member, chosen, deleting, isDisabled, onChoose, onDelete }: PictureListProps): ReactNode {
  const pictures = usePictures();
  const { data } = pictures;
  const list = useRef<HTMLFieldSetElement>(null);
  const [deleted, setDeleted] = useState(0);
  const moveFocus = useFocusAfterDeletion(list);
  const remove = async (id: string, index: number): Promise<void> => {
    const isConfirmed = await confirm({
      title: `Profilbild ${index + 1} löschen?`,
      text: describeDeletion(id === member.avatarId),
      action: "Löschen",
    });
    if (!isConfirmed) return;
    const isDeleted = await onDelete(id);
    if (isDeleted) setDeleted((count) => count + 1);
    moveFocus({ index, deleted: isDeleted ? id : null });
  };
  return (
    <Stack gap={2} aria-busy={pictures.isPending}>
      <fieldset ref={list} className={styles["list"]} disabled={isDisabled}>
        <legend className="visually-hidden">Deine Profilbilder</legend>
        <Option id={null} label="Standardbild" name={member.name} isChosen={chosen === null} onChoose={onChoose} />
        {data?.map(({ id }, index) => (
          <Option
            key={id}
            id={id}
            label={`Profilbild ${index + 1}`}
            name={member.name}
            isChosen={id === chosen}
            isDeleting={id === deleting}
            onChoose={onChoose}
            onDelete={() => void remove(id, index)}
          />
        ))}
        {pictures.isPending && <span className={styles["skeleton"]} aria-hidden="true" />}
        {/* Keeps the space of deleted pictures until the dialog is opened again. */}
        {Array.from({ length: deleted }, (_, index) => (
          <span key={index} className={styles["gap"]} aria-hidden="true" />
        ))}
      </fieldset>
      {(data !== undefined || pictures.isPending) && (
        <p className={styles["count"]} data-full={isFull(data?.length ?? 0) || undefined}>
          {data && describeCount(data.length)}
        </p>
      )}
      <QueryState query={pictures} failedText="Deine Bilder konnten gerade nicht geladen werden." skeleton={null}>
        {() => null}
      </QueryState>
    </Stack>
  );
}

function describeDeletion(isShown: boolean): string {
  const effect = isShown
    ? "Es ist dein gewähltes Profilbild: Danach sehen dich alle wieder mit deinen Anfangsbuchstaben."
    : "Was die anderen von dir sehen, ändert sich dadurch nicht.";
  return `${effect} Zurückholen lässt es sich nicht.`;
}

interface OptionProps {
  readonly id: string | null;
  readonly label: string;
  readonly name: string;
  readonly isChosen: boolean;
  readonly isDeleting?: boolean;
  readonly onChoose: (id: string | null) => void;
  readonly onDelete?: () => void;
}

function Option({ id, label, name, isChosen, isDeleting = false, onChoose, onDelete }: OptionProps): ReactNode {
  return (
    <div className={styles["option"]} data-deleting={isDeleting || undefined}>
      <label className={styles["picture"]}>
        <input
          type="radio"
          name="picture"
          className="covering-input"
          aria-label={label}
          checked={isChosen}
          onChange={() => onChoose(id)}
        />
        <Avatar id={id} name={name} size={80} />
        {isChosen && (
          <span className={styles["tick"]} aria-hidden="true">
            <Check size={18} strokeWidth={3} />
          </span>
        )}
      </label>
      {onDelete && (
        <IconButton
          className={styles["delete"]}
          value={id ?? ""}
          label={`${label} löschen`}
          title={`${label} löschen`}
          aria-busy={isDeleting}
          onClick={onDelete}
        >
          <span className={styles["sign"]}>{isDeleting ? <Spinner size={16} /> : <Trash2 size={16} />}</span>
        </IconButton>
      )}
    </div>
  );
}

interface Deletion {
  /** Position before the deletion. */
  readonly index: number;
  /** `null` if the deletion failed. */
  readonly deleted: string | null;
}

/** Moves the focus that a disabled delete button loses to the next one, or else to the default picture. */
function useFocusAfterDeletion(list: { readonly current: HTMLFieldSetElement | null }): (deletion: Deletion) => void {
  const [last, setLast] = useState<Deletion | null>(null);
  useEffect(() => {
    if (last === null) return;
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])].filter(({ value }) => value !== last.deleted);
    const next = buttons[Math.min(last.index, buttons.length - 1)] ?? list.current?.querySelector("input");
    next?.focus();
  }, [last, list]);
  return setLast;
}
