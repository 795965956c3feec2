import { Crop as CropIcon } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import {
  calendarPictureWidths,
  fillOwnDoor as endpoint,
  maxDoorText,
  type OwnDoor,
  dayNumber,
} from "#contract/christmas-calendar.ts";
import { DialogForm } from "#web/forms/dialog-form.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useMember } from "#web/page/session.ts";
import { PictureCropper } from "#web/shared/picture-cropper.tsx";
import { Button } from "#web/ui/button.tsx";
import { encodeJpeg } from "#web/ui/canvas.ts";
import { createCrop, type Crop } from "#web/ui/crop.ts";
import { CroppedPicture } from "#web/ui/cropped-picture.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { formatDay } from "#web/ui/german.ts";
import { Stack } from "#web/ui/layout.tsx";
import { cropPicture, loadPicture, releasePicture, type PickedPicture } from "#web/ui/picked-picture.ts";
import { Switch } from "#web/ui/switch.tsx";
import { changeOwnDoor, fillOwnDoor } from "./api.ts";
import styles from "./door-editor.module.css";
import { unreadableText } from "./rules.ts";

interface DoorEditorProps {
  readonly door: OwnDoor;
  /** Without a new picture, the form changes only its text and whether the name is shown. */
  readonly picked: PickedDoorPicture;
  readonly onClose: () => void;
}

/** First crops the picture, then edits its text beside a preview. */
export function DoorEditor({ door, picked, onClose }: DoorEditorProps): ReactNode {
  const user = useMember();
  const { date, picture } = door;
  const { current } = picked;
  const [isCropping, setCropping] = useState(current !== null);
  const [text, setText] = useState(door.text ?? "");
  const [isHidden, setHidden] = useState(door.is_hidden);
  if (current !== null && isCropping)
    return (
      <Stack>
        <PictureCropper {...current} onCrop={picked.changeCrop} isDisabled={false} />
        <DialogActions>
          <Button onClick={onClose}>Abbrechen</Button>
          <Button kind="primary" onClick={() => setCropping(false)}>
            Weiter
          </Button>
        </DialogActions>
      </Stack>
    );
  const send = async (): Promise<string> => {
    const words = { text, isHidden };
    const message =
      current === null
        ? await changeOwnDoor(date, words)
        : await fillOwnDoor(
            date,
            await encodeJpeg(cropPicture(current.picture, current.crop, calendarPictureWidths.screen)),
            words,
          );
    onClose();
    return message;
  };
  return (
    <DialogForm
      endpoint={endpoint}
      action={current === null ? "Speichern" : "Aufhängen"}
      onSend={send}
      onClose={onClose}
      otherAction={
        current && (
          <Button onClick={() => setCropping(true)}>
            <CropIcon size={20} />
            Ausschnitt
          </Button>
        )
      }
    >
      <figure className={styles["preview"]} aria-label={`So sehen die anderen Türchen ${dayNumber(date)}`}>
        <div className={styles["frame"]}>
          {current !== null ? (
            <CroppedPicture {...current} />
          ) : (
            picture !== null && (
              <img className={styles["picture"]} src={picture} alt={`Dein Bild vom ${formatDay(date, "day")}`} />
            )
          )}
        </div>
        <p className={styles["text"]}>{text}</p>
        <p className={styles["by"]}>{isHidden ? "Von wem? Bleibt geheim." : `Von ${user?.name ?? ""}`}</p>
      </figure>
      <Field
        label="Ein Satz dazu"
        name="text"
        defaultValue={text}
        maxLength={maxDoorText}
        hint="Steht unter dem Bild, wenn das Türchen offen ist. Er kann auch leer bleiben."
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Switch
        label="Verrät niemand"
        hint="Die anderen erfahren nicht, von wem das Bild ist. Das kannst du jederzeit ändern."
        isOn={isHidden}
        onChange={setHidden}
      />
    </DialogForm>
  );
}

interface Picked {
  readonly picture: PickedPicture;
  readonly crop: Crop;
}

interface PickedDoorPicture {
  readonly current: Picked | null;
  readonly changeCrop: (crop: Crop) => void;
  /** Resolves to `false` if the browser cannot open the file or another was picked. */
  readonly pick: (file: File) => Promise<boolean>;
  readonly discard: () => void;
}

/** The picture that the member has picked for a door and not uploaded yet. */
export function usePickedPicture(): PickedDoorPicture {
  const [current, setCurrent] = useState<Picked | null>(null);
  const loaded = useRef<PickedPicture>(undefined);
  /** Number of the newest load: outdated ones are discarded. */
  const newest = useRef(0);
  const discard = (): void => {
    newest.current += 1;
    if (loaded.current) releasePicture(loaded.current);
    loaded.current = undefined;
    setCurrent(null);
  };
  useEffect(
    () => () => {
      if (loaded.current) releasePicture(loaded.current);
    },
    [],
  );
  return {
    current,
    discard,
    changeCrop: (crop) => setCurrent((picked) => picked && { ...picked, crop }),
    async pick(file) {
      newest.current += 1;
      const load = newest.current;
      try {
        const picture = await loadPicture(file);
        if (load !== newest.current) {
          releasePicture(picture);
          return false;
        }
        discard();
        loaded.current = picture;
        setCurrent({ picture, crop: createCrop(picture) });
        return true;
      } catch {
        showMessage({ type: "error", text: unreadableText(file) });
        return false;
      }
    },
  };
}
