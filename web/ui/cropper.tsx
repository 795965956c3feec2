import { RotateCcw, RotateCw, ZoomIn, ZoomOut, type LucideIcon } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import EasyCrop, { type Area, type Point } from "react-easy-crop";

import "react-easy-crop/react-easy-crop.css";
import styles from "./cropper.module.css";
import { Stack } from "./layout.tsx";
import { createCanvas, encodePng } from "./picture-drawing.ts";
import { Hint } from "./text.tsx";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An upright picture: the browser has applied EXIF. */
interface Picture extends Size {
  readonly image: HTMLImageElement;
  readonly url: string;
}

/** `area` in px of the rotated picture, `rotation` in degrees (a multiple of 90). */
interface Crop {
  readonly area: Area;
  readonly rotation: number;
}

export interface PickedPicture {
  readonly picture: Picture;
  readonly crop: Crop;
}

interface PickOptions {
  /** Side of the first crop, from 0 to 1 of the picture's shorter side. */
  readonly firstShare?: number;
  readonly onUnreadable: (file: File) => void;
}

export interface PickState {
  readonly current: PickedPicture | null;
  readonly changeCrop: (crop: Crop) => void;
  /** Resolves to `false` if the browser cannot open the file or another was picked. */
  readonly pick: (file: File) => Promise<boolean>;
  readonly discard: () => void;
}

export function usePickedPicture({ firstShare, onUnreadable }: PickOptions): PickState {
  const [current, setCurrent] = useState<PickedPicture | null>(null);
  /** Number of the newest load: outdated ones are discarded. */
  const newest = useRef(0);
  const url = current?.picture.url;
  useEffect(() => (url === undefined ? undefined : () => URL.revokeObjectURL(url)), [url]);
  return {
    current,
    discard() {
      newest.current += 1;
      setCurrent(null);
    },
    changeCrop: (crop) => setCurrent((picked) => picked && { ...picked, crop }),
    async pick(file) {
      newest.current += 1;
      const own = newest.current;
      try {
        const picture = await loadPicture(file);
        if (own === newest.current) {
          setCurrent({ picture, crop: createCrop(picture, firstShare) });
          return true;
        }
        URL.revokeObjectURL(picture.url);
      } catch {
        onUnreadable(file);
      }
      return false;
    },
  };
}

interface CropperProps extends PickedPicture {
  /** Initial crop; later values are ignored. */
  readonly crop: Crop;
  readonly onCrop: (crop: Crop) => void;
  readonly isDisabled?: boolean;
  /** Marks the visible circle of an avatar. */
  readonly isRound?: boolean;
}

/** `crop` is the offset from the center of the stage in px, `rotation` in degrees. */
interface View {
  readonly crop: Point;
  readonly zoom: number;
  readonly rotation: number;
}

/** Zoom factor of a wheel notch, button or key press. */
const zoomStep = 1.1;
const greatestZoom = 10;
/** Pixels of the screen per arrow key. */
const moveStep = 16;

/** Moves, zooms or rotates the picture under a square frame by dragging, pinching, wheel, keys and buttons. */
export function Cropper({ picture, crop, onCrop, isDisabled = false, isRound }: CropperProps): ReactNode {
  const hint = useId();
  const [first] = useState(crop);
  const [view, setView] = useState<View>({ crop: { x: 0, y: 0 }, zoom: 1, rotation: crop.rotation });
  /** Leaves at least one pixel of the picture in the frame. */
  const maxZoom = Math.min(greatestZoom, picture.width, picture.height);
  const zoomBy = (factor: number) => (): void =>
    setView(({ crop: { x, y }, zoom: before, rotation }) => {
      const zoom = Math.min(maxZoom, Math.max(1, before * factor));
      return { crop: { x: (x * zoom) / before, y: (y * zoom) / before }, zoom, rotation };
    });
  /** Rotates by 90 degrees around the center; 1 is clockwise. */
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
  const tools: readonly (readonly [label: string, icon: LucideIcon, onPress: () => void])[] = [
    ["Verkleinern", ZoomOut, zoomOut],
    ["Vergrößern", ZoomIn, zoomIn],
    ["Nach links drehen", RotateCcw, turn(-1)],
    ["Nach rechts drehen", RotateCw, turn(1)],
  ];
  return (
    <Stack gap={3} className={styles["crop"]}>
      <div className={styles["stage"]} data-round={isRound || undefined}>
        <EasyCrop
          image={picture.url}
          aspect={1}
          objectFit={picture.width < picture.height ? "horizontal-cover" : "vertical-cover"}
          {...view}
          maxZoom={maxZoom}
          initialCroppedAreaPixels={first.area}
          showGrid={false}
          // react-easy-crop adds half of it to the zoom per notch of 100 px.
          zoomSpeed={2 * (zoomStep - 1) * view.zoom}
          keyboardStep={moveStep}
          disableAutomaticStylesInjection
          onCropChange={(at) => setView((now) => ({ ...now, crop: at }))}
          onZoomChange={(zoom) => setView((now) => ({ ...now, zoom }))}
          onCropAreaChange={(_, area) => onCrop({ area, rotation: view.rotation })}
          cropperProps={{
            role: "application",
            "aria-label": "Bildausschnitt",
            "aria-describedby": hint,
            // In the capture phase, because `onKeyDown` would replace react-easy-crop's handler.
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

/** Requires a square parent that is positioned and hides overflow. */
export function CroppedPicture({ picture, crop }: PickedPicture): ReactNode {
  const side = crop.area.width;
  const middle = findMiddle(picture, crop);
  return (
    <img
      className={styles["cropped"]}
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

/** Limits the sides to `maxSide` px. */
export function cropPicture({ picture, crop }: PickedPicture, maxSide: number): HTMLCanvasElement {
  const { image, width, height } = picture;
  const side = crop.area.width;
  const size = Math.min(maxSide, side);
  const middle = findMiddle(picture, crop);
  const canvas = createCanvas(size, size);
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.scale(size / side, size / side);
  context.translate(middle.x, middle.y);
  context.rotate((crop.rotation * Math.PI) / 180);
  context.drawImage(image, -width / 2, -height / 2, width, height);
  return canvas;
}

/** Returns a centered crop; `share` (0 to 1) is that of the picture's shorter side. */
export function createCrop({ width, height }: Size, share = 1): Crop {
  const side = Math.max(1, Math.round(Math.min(width, height) * share));
  const area = { x: Math.round((width - side) / 2), y: Math.round((height - side) / 2), width: side, height: side };
  return { area, rotation: 0 };
}

/** Returns px from the upper left corner of the crop. */
export function findMiddle({ width, height }: Size, { area, rotation }: Crop): Point {
  const [across, down] = rotation % 180 === 0 ? [width, height] : [height, width];
  return { x: across / 2 - area.x, y: down / 2 - area.y };
}

/** In px, so that phones can move a picture smoothly. */
const longestSide = 4096;

/** Side of a vector drawing in px, enough for every result. */
const drawingSide = 1250;

/** Rejects if the browser cannot decode the file. */
async function loadPicture(file: File): Promise<Picture> {
  const loaded = await load(file);
  const isDrawing = file.type === "image/svg+xml" || file.name.toLowerCase().endsWith(".svg");
  // A drawing without a size becomes a square.
  const { width, height } = loaded.width * loaded.height > 0 ? loaded : { width: drawingSide, height: drawingSide };
  const scale = Math.min(longestSide / Math.max(width, height), isDrawing ? drawingSide / Math.min(width, height) : 1);
  if (scale === 1 && !isDrawing) return loaded;
  const canvas = createCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(loaded.image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(loaded.url);
  return load(await encodePng(canvas));
}

async function load(file: Blob): Promise<Picture> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
  return { image, width: image.naturalWidth, height: image.naturalHeight, url };
}
