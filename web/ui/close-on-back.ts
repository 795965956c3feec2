import { useEffect, useEffectEvent } from "react";

interface Layer {
  close(): void;
}

/**
 * The open dialogs and menus, the topmost last. Each has a history entry, whose state contains its
 * position in this list, from 1, as `layer`.
 */
const layers: Layer[] = [];
let isGoingBack = false;
const waiting: (() => void)[] = [];

/**
 * Makes the browser's back button close an open dialog or menu. Closing the dialog or menu in
 * another way removes its history entry.
 */
export function useCloseOnBack(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const layer = { close: () => close() };
    layers.push(layer);
    // Deferred, because one dialog may close while another opens; the new dialog then takes over
    // the history entry.
    queueMicrotask(updateHistory);
    return () => {
      const place = layers.indexOf(layer);
      if (place >= 0) layers.splice(place, 1);
      queueMicrotask(updateHistory);
    };
  }, [isOpen]);
}

/**
 * Closes the dialogs and menus whose history entries the back button has left. Called on every
 * `popstate`.
 */
export function handleLayerPop(): void {
  if (isGoingBack) return finishGoingBack();
  for (const layer of layers.splice(countLayerEntries()).toReversed()) layer.close();
  updateHistory();
}

/**
 * Returns the number of history entries, up to the current one, that belong to dialogs and menus.
 */
export function countLayerEntries(): number {
  const { layer = 0 } = (history.state ?? {}) as { layer?: number };
  return layer;
}

/**
 * Runs `change` at once, or later if the browser is still leaving the history entries of closed
 * dialogs and menus.
 */
export function changeHistory(change: () => void): void {
  if (isGoingBack) waiting.push(change);
  else change();
}

/**
 * Adds history entries for open dialogs and menus that have none, or goes back over the entries of
 * closed ones.
 */
function updateHistory(): void {
  if (isGoingBack) return;
  const surplus = countLayerEntries() - layers.length;
  if (surplus > 0) goBack(surplus);
  // Bypasses the router's override of `history.pushState`, because a dialog or menu is not a page.
  while (countLayerEntries() < layers.length)
    History.prototype.pushState.call(history, { ...history.state, layer: countLayerEntries() + 1 }, "");
}

function goBack(steps: number): void {
  isGoingBack = true;
  history.go(-steps);
}

function finishGoingBack(): void {
  isGoingBack = false;
  updateHistory();
  for (const change of waiting.splice(0)) change();
}
