/** Milliseconds after a tap in which a second one is meant for the content that the first one hit. */
const secondTapMs = 600;
/** Distance in px within which a second tap of the same finger lands. */
const fingerSize = 32;

interface Tap {
  readonly at: number;
  readonly x: number;
  readonly y: number;
  /** The guarded button or dialog that was tapped; `null` if the tap hit something else. */
  readonly guarded: Element | null;
}

/**
 * Ignores a tap on a dialog, or on a button marked with `data-guarded`, if an earlier tap at the same place hit
 * something else: the dialog or button has only just appeared under the finger. All other taps count at once.
 */
export function guardTaps(): void {
  let taps: Tap[] = [];
  addEventListener(
    "click",
    (event) => {
      const { timeStamp: at, clientX: x, clientY: y, target, detail } = event;
      // Keys and scripts click with a `detail` of 0.
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
