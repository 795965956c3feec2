import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, type ReactNode } from "react";

import { calendarPictureWidths } from "#contract/christmas-calendar.ts";
import { putUpPhoto } from "#contract/party-photos.ts";
import { call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys } from "#web/features/beers/api.ts";
import { showMessage } from "#web/page/messages.tsx";
import { Button } from "#web/ui/button.tsx";
import { Cropper, cropPicture, type PickedPicture, usePickedPicture } from "#web/ui/cropper.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { encodeJpeg } from "#web/ui/picture-drawing.ts";

interface PhotoDialogProps {
  readonly party: number;
  readonly file: File;
  readonly onClose: () => void;
}

export function PhotoDialog({ party, file, onClose }: PhotoDialogProps): ReactNode {
  const queries = useQueryClient();
  const picked = usePickedPicture({
    onUnreadable() {
      showMessage({ type: "error", text: "Dieses Foto lässt sich nicht öffnen. Nimm eins in JPG oder PNG." });
      onClose();
    },
  });
  const pick = useEffectEvent(picked.pick);
  useEffect(() => void pick(file), [file]);
  const upload = useMutation({
    async mutationFn(photo: PickedPicture) {
      const body = new FormData();
      body.set("picture", await encodeJpeg(cropPicture(photo, calendarPictureWidths.screen)));
      const { message } = await call(putUpPhoto, { params: { id: party }, body });
      await reload(queries, ...partyKeys);
      onClose();
      return message;
    },
  });
  const { current } = picked;
  return (
    // Opens at once, because a cropper needs the size of its stage.
    <Dialog
      title="Foto vom Tisch"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button disabled={upload.isPending} onClick={onClose}>
            Abbrechen
          </Button>
          <Button
            kind="primary"
            isBusy={upload.isPending}
            disabled={current === null}
            onClick={() => current && upload.mutate(current)}
          >
            Aufhängen
          </Button>
        </>
      }
    >
      {current && <Cropper {...current} onCrop={picked.changeCrop} isDisabled={upload.isPending} />}
    </Dialog>
  );
}
