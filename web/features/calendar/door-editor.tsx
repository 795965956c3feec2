import { Crop as CropIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import {
  calendarPictureWidths,
  changeOwnDoor,
  fillOwnDoor,
  maxDoorText,
  type OwnDoor,
  dayNumber,
} from "#contract/christmas-calendar.ts";
import type { InputOf } from "#contract/endpoint.ts";
import { call } from "#web/client/api.ts";
import { formFor } from "#web/page/form.tsx";
import { useMember } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { CroppedPicture, Cropper, cropPicture, type PickedPicture, type PickState } from "#web/ui/cropper.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { formatDay } from "#web/ui/german.ts";
import { Stack } from "#web/ui/layout.tsx";
import { encodeJpeg } from "#web/ui/picture-drawing.ts";
import { useDoorChange } from "./api.ts";
import styles from "./door-editor.module.css";

const form = formFor(changeOwnDoor);

interface DoorEditorProps {
  readonly door: OwnDoor;
  /** Without a new picture, only text and name change. */
  readonly picked: PickState;
  readonly onClose: () => void;
}

/** Shows first the crop, then the text beside a preview. */
export function DoorEditor({ door, picked, onClose }: DoorEditorProps): ReactNode {
  const user = useMember();
  const change = useDoorChange();
  const { date, picture } = door;
  const { current } = picked;
  const [isCropping, setCropping] = useState(current !== null);
  const [text, setText] = useState(door.text ?? "");
  const [isHidden, setHidden] = useState(door.is_hidden);
  if (current !== null && isCropping)
    return (
      <Stack>
        <Cropper {...current} onCrop={picked.changeCrop} />
        <DialogActions>
          <Button onClick={onClose}>Abbrechen</Button>
          <Button kind="primary" onClick={() => setCropping(false)}>
            Weiter
          </Button>
        </DialogActions>
      </Stack>
    );
  const params = { date };
  const send = async (body: InputOf<typeof changeOwnDoor>): Promise<string> => {
    const message = await change(
      current === null
        ? call(changeOwnDoor, { params, body })
        : call(fillOwnDoor, { params, body: await toUpload(current, body) }),
    );
    onClose();
    return message;
  };
  return (
    <form.DialogForm
      action={current === null ? "Speichern" : "Aufhängen"}
      readMore={() => ({ text: text.trim() || null, is_hidden: isHidden })}
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
      <form.Field
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
    </form.DialogForm>
  );
}

async function toUpload(picked: PickedPicture, { text, is_hidden }: InputOf<typeof changeOwnDoor>): Promise<FormData> {
  const body = new FormData();
  // The server reads the fields in order, text first.
  body.set("text", text ?? "");
  body.set("is_hidden", is_hidden ? "1" : "0");
  body.set("picture", await encodeJpeg(cropPicture(picked, calendarPictureWidths.screen)));
  return body;
}
