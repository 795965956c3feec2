import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Camera, DoorOpen, Trash2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { calendarPictureWidths, dayNumber, fillOwnDoor } from "#contract/christmas-calendar.ts";
import {
  choosePhotoForReview,
  type PartyPhoto,
  photoUrl,
  switchPhotos,
  takeDownPhoto,
} from "#contract/party-photos.ts";
import type { ShownParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys } from "#web/features/beers/api.ts";
import { calendarKey, useOwnDoors } from "#web/features/calendar/api.ts";
import { confirm } from "#web/page/confirm.tsx";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { createCanvas, encodeJpeg } from "#web/ui/picture-drawing.ts";
import { Hint } from "#web/ui/text.tsx";
import { photoCall, takePhoto } from "./photo-taker.tsx";
import styles from "./table-photo.module.css";

/** `Heading` is one below that of the page or dialog. */
export function TablePhotos({ party, Heading }: { party: ShownParty; Heading: "h2" | "h3" }): ReactNode {
  const heading = useId();
  const { id, photos, is_running, is_manager, can_add_photo, is_photo_time } = party;
  const [opened, setOpened] = useState<string | null>(null);
  const own = photos.find(({ is_own }) => is_own);
  const photo = photos.find((one) => one.id === opened);
  const canSwitch = is_manager && is_running;
  return (
    <Stack as="section" gap={3} aria-labelledby={heading}>
      <Heading id={heading} className={styles["title"]}>
        Vom Tisch
      </Heading>
      {photos.length > 0 && (
        <ul className={styles["photos"]} aria-label="Fotos vom Tisch">
          {photos.map((one) => (
            <li key={one.id}>
              <button type="button" className={styles["photo"]} onClick={() => setOpened(one.id)}>
                <img src={photoUrl(one.id, "phone")} alt={describe(one)} loading="lazy" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {photos.length === 0 && can_add_photo && (
        <Hint data-align="center">{is_photo_time ? photoCall : "Noch kein Foto. Nur wer dabei war, sieht sie."}</Hint>
      )}
      {can_add_photo && (
        <Row data-justify="center">
          <Button
            kind={is_photo_time && !own ? "primary" : "plain"}
            onClick={() => takePhoto(id, is_running ? "camera" : "files")}
          >
            <Camera size={20} />
            {own ? "Anderes Foto" : "Foto vom Tisch"}
          </Button>
        </Row>
      )}
      {canSwitch && <PhotoSwitch party={party} />}
      <Dialog
        title={photo === undefined ? "" : describe(photo)}
        isOpen={photo !== undefined}
        onClose={() => setOpened(null)}
        footer={<Button onClick={() => setOpened(null)}>Fertig</Button>}
      >
        {photo && (
          <Stack>
            <img className={styles["large"]} src={photoUrl(photo.id, "screen")} alt={describe(photo)} />
            {photo.is_own && <OwnPhoto party={party} photo={photo} />}
          </Stack>
        )}
      </Dialog>
    </Stack>
  );
}

function describe({ by, is_own }: PartyPhoto): string {
  if (is_own) return "Dein Foto";
  return by === null ? "Foto vom Tisch" : `Foto von ${by}`;
}

function usePartyChange() {
  const queries = useQueryClient();
  return async (reply: Promise<{ message: string }>): Promise<string> => {
    const { message } = await reply;
    await reload(queries, ...partyKeys);
    return message;
  };
}

function PhotoSwitch({ party: { id, is_photo_on } }: { party: ShownParty }): ReactNode {
  const change = usePartyChange();
  const turn = useMutation({
    mutationFn: (is_on: boolean) => change(call(switchPhotos, { params: { id }, body: { is_on } })),
  });
  return (
    <Switch
      label="Tischfoto"
      hint="Wenn am meisten los ist, fragt die App einmal nach einem Foto."
      isOn={turn.isPending ? turn.variables : is_photo_on}
      disabled={turn.isPending}
      onChange={turn.mutate}
    />
  );
}

function OwnPhoto({ party: { id }, photo }: { party: ShownParty; photo: PartyPhoto }): ReactNode {
  const params = { id };
  const queries = useQueryClient();
  const change = usePartyChange();
  const { data } = useOwnDoors();
  const free = data?.doors.filter(({ picture }) => picture === null) ?? [];
  const review = useMutation({
    mutationFn: (is_in_review: boolean) => change(call(choosePhotoForReview, { params, body: { is_in_review } })),
  });
  const hang = useMutation({
    async mutationFn(date: string) {
      const body = new FormData();
      body.set("picture", await fetchJpeg(photoUrl(photo.id, "screen")));
      const { message } = await call(fillOwnDoor, { params: { date }, body });
      await reload(queries, calendarKey);
      return message;
    },
  });
  const takeDown = useMutation({ mutationFn: () => change(call(takeDownPhoto, { params })) });
  const isBusy = hang.isPending || takeDown.isPending;
  const ask = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: "Foto abnehmen?",
      text: "Dann sieht es hier niemand mehr. Was hinter einem Türchen hängt, bleibt dort.",
      action: "Abnehmen",
    });
    if (isConfirmed) takeDown.mutate();
  };
  return (
    <>
      <Switch
        label="In meinem Jahresrückblick"
        isOn={review.isPending ? review.variables : photo.is_in_review}
        disabled={review.isPending}
        onChange={review.mutate}
      />
      <Row>
        {free.slice(0, 3).map(({ date }) => (
          <Button
            key={date}
            isBusy={hang.isPending && hang.variables === date}
            disabled={isBusy}
            onClick={() => hang.mutate(date)}
          >
            <DoorOpen size={20} />
            {`Hinter Türchen ${dayNumber(date)}`}
          </Button>
        ))}
        <Button isBusy={takeDown.isPending} disabled={isBusy} onClick={() => void ask()}>
          <Trash2 size={20} />
          Abnehmen
        </Button>
      </Row>
    </>
  );
}

/** The server accepts only JPEG and PNG, but stores WebP. */
async function fetchJpeg(url: string): Promise<Blob> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const side = Math.min(image.naturalWidth, calendarPictureWidths.screen);
  const canvas = createCanvas(side, side);
  canvas.getContext("2d")!.drawImage(image, 0, 0, side, side);
  return encodeJpeg(canvas);
}
