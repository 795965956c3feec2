/** Within this time, a second tap is meant for the content that the first one hit. */
const secondTapMs = 600;
/** Distance in px between two taps of a finger. */
const fingerSize = 32;

interface Tap {
  readonly at: number;
  readonly x: number;
  readonly y: number;
  /** `null` if the tap hit neither button nor dialog. */
  readonly guarded: Element | null;
}

/**
 * Ignores a tap on a dialog, or on a button with `data-guarded`, that has just appeared under the finger: an earlier
 * tap at the same place hit something else.
 */
export function guardTaps(): void {
  let taps: Tap[] = [];
  addEventListener(
    "click",
    (event) => {
      const { timeStamp: at, clientX: x, clientY: y, target, detail } = event;
      // Clicks of keys and scripts have a `detail` of 0.
      if (detail === 0 || !(target instanceof Element)) return;
      const guarded = target.closest("[data-guarded]") ?? target.closest("dialog");
      taps = taps.filter((tap) => at - tap.at < secondTapMs);
      const isOnOther = (tap: Tap): boolean =>
        tap.guarded !== guarded && Math.hypot(tap.x - x, tap.y - y) <= fingerSize;
      if (guarded !== null && taps.some(isOnOther)) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      taps.push({ at, x, y, guarded });
    },
    { capture: true },
  );
}
