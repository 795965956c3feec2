import { useEffect, useRef, useState } from "react";

import { showFlash } from "#web/shell/flash.tsx";
import { createCrop, type Crop } from "#web/ui/crop.ts";
import { loadPicture, releasePicture, type PickedPicture } from "#web/ui/picked-picture.ts";
import { unreadableText } from "../rules.ts";

interface Picked {
  readonly picture: PickedPicture;
  readonly crop: Crop;
}

/** The picture that the member has picked for a door and not uploaded yet. */
export interface PickedDoorPicture {
  readonly current: Picked | null;
  readonly changeCrop: (crop: Crop) => void;
  /**
   * Resolves to `true` if the browser can open the file; otherwise shows an error message and
   * resolves to `false`.
   */
  readonly pick: (file: File) => Promise<boolean>;
  readonly discard: () => void;
}

export function usePickedPicture(): PickedDoorPicture {
  const [current, setCurrent] = useState<Picked | null>(null);
  const loaded = useRef<PickedPicture>(undefined);
  /** Increases with every load of a picture, so that results of outdated loads are discarded. */
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
