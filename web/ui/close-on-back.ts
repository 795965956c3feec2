import { useEffect, useEffectEvent } from "react";

interface Layer {
  close(): void;
}

/** The open dialogs and menus, the topmost last. Each has a history entry with its number as `layer`. */
const layers: Layer[] = [];
let isGoingBack = false;
const waiting: (() => void)[] = [];

/** Lets the back button close a dialog or menu. Closing it otherwise removes its history entry. */
export function useCloseOnBack(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const layer = { close: () => close() };
    layers.push(layer);
    // Delayed, because one dialog may close while another opens.
    queueMicrotask(updateHistory);
    return () => {
      const place = layers.indexOf(layer);
      if (place >= 0) layers.splice(place, 1);
      queueMicrotask(updateHistory);
    };
  }, [isOpen]);
}

/** Closes the layers whose history entries the back button has left. Called on every `popstate`. */
export function handleLayerPop(): void {
  if (isGoingBack) return finishGoingBack();
  for (const layer of layers.splice(countLayerEntries()).toReversed()) layer.close();
  updateHistory();
}

/** Returns how many of the last history entries, up to the current one, belong to layers. */
export function countLayerEntries(): number {
  const { layer = 0 } = (history.state ?? {}) as { layer?: number };
  return layer;
}

/** Runs `change` at once, or after the browser has left the entries of closed layers, which is asynchronous. */
export function changeHistory(change: () => void): void {
  if (isGoingBack) waiting.push(change);
  else change();
}

/** Adds or leaves history entries until every open layer has one. */
function updateHistory(): void {
  if (isGoingBack) return;
  const surplus = countLayerEntries() - layers.length;
  if (surplus > 0) goBack(surplus);
  // Bypasses the router's `history.pushState`: a layer is no page.
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
