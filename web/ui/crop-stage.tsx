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
import { useEffect, useEffectEvent, useId, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

import styles from "./crop-stage.module.css";
import { frameShare, moveCrop, rotateCrop, zoomCrop, zoomStep, type Crop, type Point } from "./crop.ts";
import { Hint } from "./hint.tsx";
import { Stack } from "./layout.tsx";
import type { PickedPicture } from "./picked-picture.ts";

export interface CropStageProps {
  readonly picture: PickedPicture;
  readonly crop: Crop;
  readonly onCrop: (change: (crop: Crop) => Crop) => void;
  readonly isDisabled: boolean;
  /** `true` marks the circle in the frame that others see of an avatar. */
  readonly isRound?: boolean;
}

/** One press of an arrow moves the picture by this part of the stage. */
const nudge = 0.05;
const zoomIn = (crop: Crop) => zoomCrop(crop, 1 + zoomStep);
const zoomOut = (crop: Crop) => zoomCrop(crop, 1 / (1 + zoomStep));
const move = (x: number, y: number) => (crop: Crop) => moveCrop(crop, { x: x * nudge, y: y * nudge });

type Tool = readonly [label: string, icon: LucideIcon, change: (crop: Crop) => Crop];

const tools: readonly Tool[] = [
  ["Verkleinern", ZoomOut, zoomOut],
  ["Vergrößern", ZoomIn, zoomIn],
  ["Nach links drehen", RotateCcw, (crop) => rotateCrop(crop, -1)],
  ["Nach rechts drehen", RotateCw, (crop) => rotateCrop(crop, 1)],
];

/** For a mouse alone: where there is no other pointer than fingers, a tap on the picture does the same. */
const moves: readonly Tool[] = [
  ["Nach links schieben", ArrowLeft, move(-1, 0)],
  ["Nach oben schieben", ArrowUp, move(0, -1)],
  ["Nach unten schieben", ArrowDown, move(0, 1)],
  ["Nach rechts schieben", ArrowRight, move(1, 0)],
];

const keys: Record<string, (crop: Crop) => Crop> = {
  ArrowLeft: move(-1, 0),
  ArrowRight: move(1, 0),
  ArrowUp: move(0, -1),
  ArrowDown: move(0, 1),
  "+": zoomIn,
  "-": zoomOut,
};

/** The picture under a square frame: dragged, tapped, pinched, wheeled, by arrow keys, or by the buttons beneath. */
export function CropStage({ picture, crop, onCrop, isDisabled, isRound = false }: CropStageProps): ReactNode {
  const hint = useId();
  const stage = useRef<HTMLDivElement>(null);
  const fingers = usePointers(onCrop);
  useWheel(stage, onCrop);
  const onKeyDown = (event: KeyboardEvent): void => {
    const change = keys[event.key];
    if (change === undefined) return;
    event.preventDefault();
    onCrop(change);
  };
  return (
    <Stack gap={3} className={styles["crop"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is one: see its role */}
      <div
        ref={stage}
        className={styles["stage"]}
        role="application"
        aria-label="Bildausschnitt"
        aria-describedby={hint}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move the picture
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...fingers}
      >
        <CroppedPicture picture={picture} crop={crop} share={frameShare} />
        <div className={styles["frame"]} data-round={isRound || undefined} />
      </div>
      <Hint id={hint} data-align="center">
        <span className={styles["byFinger"]}>
          Zieh das Bild zurecht, oder tipp auf seine neue Mitte; zwei Finger zoomen.
        </span>
        <span className={styles["byMouse"]}>Zieh das Bild zurecht; Mausrad oder + und − zoomen.</span>
      </Hint>
      <Tools tools={tools} onCrop={onCrop} isDisabled={isDisabled} />
      <div className={styles["byMouse"]}>
        <Tools tools={moves} onCrop={onCrop} isDisabled={isDisabled} />
      </div>
    </Stack>
  );
}

interface CroppedPictureProps extends Pick<CropStageProps, "picture" | "crop"> {
  /** Share of the square around that the cropped part fills. */
  readonly share?: number;
}

/** A picture in a square that shows the cropped part; the square is positioned and hides the rest. */
export function CroppedPicture({ picture, crop, share = 1 }: CroppedPictureProps): ReactNode {
  const { width, height, x, y, side, turns } = crop;
  return (
    <img
      className={styles["picture"]}
      src={picture.url}
      alt=""
      draggable={false}
      style={{
        width: `${(100 * share * width) / side}%`,
        transform: `rotate(${turns * 90}deg) translate(${(-100 * x) / width}%, ${(-100 * y) / height}%)`,
      }}
    />
  );
}

type ToolsProps = Pick<CropStageProps, "onCrop" | "isDisabled"> & { readonly tools: readonly Tool[] };

function Tools({ tools: shown, onCrop, isDisabled }: ToolsProps): ReactNode {
  return (
    <div className={styles["tools"]}>
      {shown.map(([label, Icon, change]) => (
        <button
          key={label}
          type="button"
          className={styles["tool"]}
          aria-label={label}
          title={label}
          disabled={isDisabled}
          onClick={() => onCrop(change)}
        >
          <Icon size={22} />
        </button>
      ))}
    </div>
  );
}

/** A finger on the stage has moved by less than this part of its side: it tapped. */
const tapRange = 0.02;

/** One finger or the mouse moves, two fingers zoom about their middle and move with it; what a finger taps becomes the middle. */
function usePointers(onCrop: CropStageProps["onCrop"]) {
  const down = useRef(new Map<number, Point>());
  const tap = useRef<Point | null>(null);
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (!down.current.has(event.pointerId)) return;
    const before = describeGrip([...down.current.values()]);
    down.current.set(event.pointerId, pointOf(event, event.currentTarget));
    const after = describeGrip([...down.current.values()]);
    onCrop((crop) => {
      const pulled = moveCrop(crop, { x: after.x - before.x, y: after.y - before.y });
      return before.spread > 0 && after.spread > 0 ? zoomCrop(pulled, after.spread / before.spread, after) : pulled;
    });
  };
  const lift = (event: PointerEvent<HTMLDivElement>): void => void down.current.delete(event.pointerId);
  const liftOrTap = (event: PointerEvent<HTMLDivElement>): void => {
    lift(event);
    const at = pointOf(event, event.currentTarget);
    const begun = tap.current;
    tap.current = null;
    if (begun !== null && Math.hypot(at.x - begun.x, at.y - begun.y) < tapRange)
      onCrop((crop) => moveCrop(crop, { x: -at.x, y: -at.y }));
  };
  return {
    onPointerMove,
    onPointerDown: (event: PointerEvent<HTMLDivElement>): void => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const at = pointOf(event, event.currentTarget);
      tap.current = event.pointerType === "touch" && down.current.size === 0 ? at : null;
      down.current.set(event.pointerId, at);
    },
    onPointerUp: liftOrTap,
    onPointerCancel: lift,
    onLostPointerCapture: lift,
  };
}

/** React listens to the wheel passively, and then the page would scroll as well. */
function useWheel(stage: { readonly current: HTMLDivElement | null }, onCrop: CropStageProps["onCrop"]): void {
  const onWheel = useEffectEvent((event: WheelEvent): void => {
    event.preventDefault();
    const at = pointOf(event, stage.current!);
    onCrop((crop) => zoomCrop(crop, event.deltaY < 0 ? 1 + zoomStep : 1 / (1 + zoomStep), at));
  });
  useEffect(() => {
    const element = stage.current!;
    const listen = (event: WheelEvent): void => onWheel(event);
    element.addEventListener("wheel", listen, { passive: false });
    return () => element.removeEventListener("wheel", listen);
  }, [stage]);
}

/** A place on the stage, as parts of its side from its middle. */
function pointOf({ clientX, clientY }: { clientX: number; clientY: number }, stage: HTMLElement): Point {
  const { left, top, width } = stage.getBoundingClientRect();
  return { x: (clientX - left) / width - 0.5, y: (clientY - top) / width - 0.5 };
}

/** The middle of all fingers, and how far the first two are apart. */
function describeGrip(points: readonly Point[]): Point & { spread: number } {
  const [first = { x: 0, y: 0 }, second] = points;
  if (!second) return { ...first, spread: 0 };
  return {
    x: (first.x + second.x) / 2,
    y: (first.y + second.y) / 2,
    spread: Math.hypot(first.x - second.x, first.y - second.y),
  };
}
