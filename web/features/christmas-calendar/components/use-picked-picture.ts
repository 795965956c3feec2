import { useEffect, useRef, useState } from "react";

import { showFlash } from "#web/shell/flash.tsx";
import { createCrop, type Crop } from "#web/ui/crop.ts";
import { loadPicture, releasePicture, type PickedPicture } from "#web/ui/picked-picture.ts";
import { unreadableText } from "../rules.ts";

interface Picked {
  readonly picture: PickedPicture;
  readonly crop: Crop;
}

/** A picture that is picked for a door and not uploaded yet. */
export interface PickedDoorPicture {
  readonly current: Picked | null;
  readonly changeCrop: (crop: Crop) => void;
  /** Resolves to `false` after an error message if the browser cannot open the file. */
  readonly pick: (file: File) => Promise<boolean>;
  readonly discard: () => void;
}

export function usePickedPicture(): PickedDoorPicture {
  const [current, setCurrent] = useState<Picked | null>(null);
  const loaded = useRef<PickedPicture>(undefined);
  /** Number of the latest load; results of earlier loads are discarded. */
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
        showFlash({ type: "error", text: unreadableText(file) });
        return false;
      }
    },
  };
}
