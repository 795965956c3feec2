import { ImagePlus } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { useAction } from "#web/forms/use-action.ts";
import { PictureCropper } from "#web/shared/picture-cropper.tsx";
import { flashPicture } from "#web/shell/flash-picture.tsx";
import { showFlash } from "#web/shell/flash.tsx";
import { Button } from "#web/ui/button.tsx";
import { encodePng } from "#web/ui/canvas.ts";
import { createCrop, type Crop } from "#web/ui/crop.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { FileButton } from "#web/ui/file-button.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { cropPicture, loadPicture, releasePicture, type PickedPicture } from "#web/ui/picked-picture.ts";
import { choosePicture, deletePicture, uploadPicture, usePictures } from "../queries.ts";
import { isFull, fullMessage, outputSide, uploadErrorText } from "../rules.ts";
import { PictureList } from "./picture-list.tsx";

/**
 * Initial side of the crop square as a share of the picture's shorter side; a head in a portrait
 * rarely fills the whole picture.
 */
const firstShare = 0.8;

interface PictureDialogProps {
  readonly member: User;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The dialog in which the member chooses one of the uploaded pictures, or crops a new one. */
export function PictureDialog({ member, isOpen, onClose }: PictureDialogProps): ReactNode {
  const [chosen, setChosen] = useState<string | null>(member.profile_picture);
  const [wasOpen, setWasOpen] = useState(isOpen);
  const fresh = useNewPicture();
  const choosing = useAction(choosePicture, {
    errorText: () => "Beim ändern des Profilbilds ist ein Fehler aufgetreten.",
  });
  const uploading = useAction(
    async ({ picture, crop }: NewPicture) => {
      const { id, message } = await uploadPicture(await encodePng(cropPicture(picture, crop, outputSide)));
      fresh.discard();
      setChosen(id);
      return message;
    },
    { errorText: uploadErrorText },
  );
  const deletion = useAction(deletePicture);
  const isSending = choosing.isPending || uploading.isPending;
  const isDisabled = isSending || deletion.isPending;
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    setChosen(member.profile_picture);
  }
  const close = (): void => {
    fresh.discard();
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (chosen === member.profile_picture) return close();
    if (!(await choosing.run(chosen))) return;
    showFlash({
      type: "success",
      text: "Profilbild erfolgreich geändert.",
      picture: flashPicture(chosen, member.name),
    });
    close();
  };
  const remove = async (id: string): Promise<boolean> => {
    const isShown = id === member.profile_picture;
    const isDeleted = await deletion.run(id, isShown);
    if (isDeleted && id === chosen) setChosen(isShown ? null : member.profile_picture);
    return isDeleted;
  };
  const { current } = fresh;
  const footer = (
    <>
      <Button disabled={isDisabled} onClick={current ? fresh.discard : close}>
        Abbrechen
      </Button>
      {current ? (
        <Button kind="primary" isBusy={isSending} onClick={() => void uploading.run(current)}>
          Hochladen
        </Button>
      ) : (
        <Button kind="primary" isBusy={isSending} disabled={isDisabled} onClick={() => void confirm()}>
          OK
        </Button>
      )}
    </>
  );
  return (
    <Dialog title="Profilbild auswählen" isOpen={isOpen} onClose={close} footer={footer}>
      <Stack>
        {current ? (
          <PictureCropper {...current} onCrop={fresh.changeCrop} isDisabled={isSending} isRound />
        ) : (
          <PictureList
            member={member}
            chosen={chosen}
            deleting={deletion.pending?.[0] ?? null}
            isDisabled={isDisabled}
            onChoose={setChosen}
            onDelete={remove}
          />
        )}
        <PictureButton label={current ? "Ändern" : "Hinzufügen"} isDisabled={isDisabled} onPick={fresh.pick} />
      </Stack>
    </Dialog>
  );
}

interface NewPicture {
  readonly picture: PickedPicture;
  readonly crop: Crop;
}

/** Holds the picked file and its crop until the picture is uploaded or discarded. */
function useNewPicture() {
  const [current, setCurrent] = useState<NewPicture | null>(null);
  const held = useRef<PickedPicture>(undefined);
  /** Increases with every load of a picture, so that results of outdated loads are discarded. */
  const newest = useRef(0);
  const discard = (): void => {
    newest.current += 1;
    if (held.current) releasePicture(held.current);
    held.current = undefined;
    setCurrent(null);
  };
  useEffect(
    () => () => {
      if (held.current) releasePicture(held.current);
    },
    [],
  );
  return {
    current,
    discard,
    changeCrop: (crop: Crop) => setCurrent((fresh) => fresh && { ...fresh, crop }),
    async pick(file: File): Promise<void> {
      newest.current += 1;
      const picked = newest.current;
      try {
        const picture = await loadPicture(file);
        if (picked !== newest.current) return releasePicture(picture);
        discard();
        held.current = picture;
        setCurrent({ picture, crop: createCrop(picture, firstShare) });
      } catch {
        showFlash({ type: "error", text: "Dieses Bild lässt sich nicht öffnen. Nimm eins in JPG, PNG oder SVG." });
      }
    },
  };
}

interface PictureButtonProps {
  readonly label: string;
  readonly isDisabled: boolean;
  readonly onPick: (file: File) => Promise<void>;
}

/**
 * Opens the file picker; shows a warning instead if the member already has the maximum number of
 * pictures.
 */
function PictureButton({ label, isDisabled, onPick }: PictureButtonProps): ReactNode {
  const { data: pictures = [] } = usePictures();
  const hasRoom = (): boolean => {
    if (isFull(pictures.length)) showFlash({ type: "warning", text: fullMessage });
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
