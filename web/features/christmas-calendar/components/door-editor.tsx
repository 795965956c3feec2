import { Crop as CropIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import {
  calendarPictureWidths,
  fillOwnDoor as endpoint,
  maxDoorText,
  type OwnDoor,
  dayNumber,
} from "#contract/christmas-calendar.ts";
import { DialogForm } from "#web/forms/dialog-form.tsx";
import { useSession } from "#web/session/session.ts";
import { PictureCropper } from "#web/shared/picture-cropper.tsx";
import { Button } from "#web/ui/button.tsx";
import { encodeJpeg } from "#web/ui/canvas.ts";
import { CroppedPicture } from "#web/ui/cropped-picture.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { cropPicture } from "#web/ui/picked-picture.ts";
import { Switch } from "#web/ui/switch.tsx";
import { changeOwnDoor, fillOwnDoor } from "../queries.ts";
import { formatDay } from "../rules.ts";
import styles from "./door-editor.module.css";
import type { PickedDoorPicture } from "./use-picked-picture.ts";

interface DoorEditorProps {
  readonly door: OwnDoor;
  /**
   * The newly picked picture. Without one, the form changes only the text and the visibility of the
   * member's name.
   */
  readonly picked: PickedDoorPicture;
  readonly onClose: () => void;
}

/**
 * Form that fills one of the member's doors: first crops the picture, then edits its text beside a
 * preview. Keeps the input if saving fails.
 */
export function DoorEditor({ door, picked, onClose }: DoorEditorProps): ReactNode {
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
              <img className={styles["picture"]} src={picture} alt={`Dein Bild vom ${formatDay(date)}`} />
            )
          )}
        </div>
        <p className={styles["text"]}>{text}</p>
        <Byline isHidden={isHidden} />
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

function Byline({ isHidden }: { isHidden: boolean }): ReactNode {
  const { user } = useSession();
  return <p className={styles["by"]}>{isHidden ? "Von wem? Bleibt geheim." : `Von ${user?.name ?? ""}`}</p>;
}
