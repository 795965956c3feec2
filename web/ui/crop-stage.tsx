import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  RotateCcw,
  RotateCw,
  ZoomIn,
  ZoomOut,
  type LucideIcon,
} from "lucide-react";
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import Cropper, { type Area, type Point } from "react-easy-crop";

import "react-easy-crop/react-easy-crop.css";
import styles from "./crop-stage.module.css";
import { turnSize, type Crop } from "./crop.ts";
import { Hint } from "./hint.tsx";
import { Stack } from "./layout.tsx";
import type { PickedPicture } from "./picked-picture.ts";

export interface CropStageProps {
  readonly picture: PickedPicture;
  /** Initial crop; later values are ignored. */
  readonly crop: Crop;
  readonly onCrop: (crop: Crop) => void;
  readonly isDisabled: boolean;
  /** `true` marks the visible circle of an avatar in the frame. */
  readonly isRound?: boolean;
}

/** The position of the picture: `crop` is its offset from the centre of the stage in pixels, `rotation` is in degrees. */
interface View {
  readonly crop: Point;
  readonly zoom: number;
  readonly rotation: number;
}

/** Zoom factor of one wheel notch, button or key press. */
const zoomStep = 1.1;
const greatestZoom = 10;
/** Screen pixels by which one arrow key press moves the picture. */
const moveStep = 16;

type Tool = readonly [label: string, icon: LucideIcon, onPress: () => void];

/**
 * Shows a picture under a square frame. Dragging, pinching, the wheel, keys and buttons move, zoom
 * or rotate the picture.
 */
export function CropStage({ picture, crop, onCrop, isDisabled, isRound = false }: CropStageProps): ReactNode {
  const hint = useId();
  const [first] = useState(crop);
  const [view, setView] = useState<View>({ crop: { x: 0, y: 0 }, zoom: 1, rotation: crop.rotation });
  /**
   * Size of the picture on the screen before zoom and rotation; its shorter side is as long as the
   * frame.
   */
  const [shown, setShown] = useState({ width: 0, height: 0 });
  /** The largest zoom, limited so that the frame contains at least one pixel of the picture. */
  const maxZoom = Math.min(greatestZoom, picture.width, picture.height);
  const move = (x: number, y: number) => (): void =>
    setView(({ crop: from, zoom, rotation }) => {
      const { width, height } = turnSize(shown, rotation);
      const frame = Math.min(width, height);
      const limit = (at: number, length: number): number => {
        const most = (length * zoom - frame) / 2;
        return Math.min(most, Math.max(-most, at));
      };
      const to = { x: limit(from.x + x * moveStep, width), y: limit(from.y + y * moveStep, height) };
      return { crop: to, zoom, rotation };
    });
  const zoomBy = (factor: number) => (): void =>
    setView(({ crop: { x, y }, zoom: before, rotation }) => {
      const zoom = Math.min(maxZoom, Math.max(1, before * factor));
      return { crop: { x: (x * zoom) / before, y: (y * zoom) / before }, zoom, rotation };
    });
  /**
   * Rotates the picture by 90 degrees around the centre of the frame; 1 is clockwise, -1
   * counterclockwise.
   */
  const turn = (by: 1 | -1) => (): void =>
    setView(({ crop: { x, y }, zoom, rotation }) => ({
      crop: { x: -y * by, y: x * by },
      zoom,
      rotation: (rotation + by * 90 + 360) % 360,
    }));
  const [zoomIn, zoomOut] = [zoomBy(zoomStep), zoomBy(1 / zoomStep)];
  const zoomByKey = ({ key }: KeyboardEvent): void => {
    if (key === "+") zoomIn();
    if (key === "-") zoomOut();
  };
  const tools: readonly Tool[] = [
    ["Verkleinern", ZoomOut, zoomOut],
    ["Vergrößern", ZoomIn, zoomIn],
    ["Nach links drehen", RotateCcw, turn(-1)],
    ["Nach rechts drehen", RotateCw, turn(1)],
    ["Nach links schieben", ArrowLeft, move(-1, 0)],
    ["Nach oben schieben", ArrowUp, move(0, -1)],
    ["Nach unten schieben", ArrowDown, move(0, 1)],
    ["Nach rechts schieben", ArrowRight, move(1, 0)],
  ];
  return (
    <Stack gap={3} className={styles["crop"]}>
      <div className={styles["stage"]} data-round={isRound || undefined}>
        <Cropper
          image={picture.url}
          aspect={1}
          objectFit={picture.width < picture.height ? "horizontal-cover" : "vertical-cover"}
          {...view}
          maxZoom={maxZoom}
          initialCroppedAreaPixels={first.area}
          showGrid={false}
          // react-easy-crop adds half of this value to the zoom for one wheel notch of 100 pixels.
          zoomSpeed={2 * (zoomStep - 1) * view.zoom}
          keyboardStep={moveStep}
          disableAutomaticStylesInjection
          setMediaSize={setShown}
          onCropChange={(at) => setView((now) => ({ ...now, crop: at }))}
          onZoomChange={(zoom) => setView((now) => ({ ...now, zoom }))}
          onCropAreaChange={(_: Area, area) => onCrop({ area, rotation: view.rotation })}
          cropperProps={{
            role: "application",
            "aria-label": "Bildausschnitt",
            "aria-describedby": hint,
            // Uses the capture phase, because `onKeyDown` would replace the handler of
            // react-easy-crop.
            onKeyDownCapture: zoomByKey,
          }}
        />
      </div>
      <Hint id={hint} data-align="center">
        <span className={styles["byFinger"]}>Zieh das Bild zurecht; zwei Finger zoomen.</span>
        <span className={styles["byMouse"]}>Zieh das Bild zurecht; Mausrad oder + und − zoomen.</span>
      </Hint>
      <div className={styles["tools"]}>
        {tools.map(([label, Icon, onPress]) => (
          <button
            key={label}
            type="button"
            className={styles["tool"]}
            aria-label={label}
            title={label}
            disabled={isDisabled}
            onClick={onPress}
          >
            <Icon size={22} />
          </button>
        ))}
      </div>
    </Stack>
  );
}
