import type { ReactNode } from "react";

import { findMiddle, type Crop } from "./crop.ts";
import styles from "./cropped-picture.module.css";
import type { PickedPicture } from "./picked-picture.ts";

interface CroppedPictureProps {
  readonly picture: PickedPicture;
  readonly crop: Crop;
}

/**
 * Shows the cropped part of a picture. The square parent element must be positioned and hide
 * overflow.
 */
export function CroppedPicture({ picture, crop }: CroppedPictureProps): ReactNode {
  const side = crop.area.width;
  const middle = findMiddle(picture, crop);
  return (
    <img
      className={styles["picture"]}
      src={picture.url}
      alt=""
      style={{
        width: `${(100 * picture.width) / side}%`,
        left: `${(100 * middle.x) / side}%`,
        top: `${(100 * middle.y) / side}%`,
        transform: `translate(-50%, -50%) rotate(${crop.rotation}deg)`,
      }}
    />
  );
}
