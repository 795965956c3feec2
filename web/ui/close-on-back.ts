import { useEffect, useEffectEvent } from "react";

interface Layer {
  close(): void;
}

/** The dialogs and menus that are open, the topmost last. Each has an entry in the history, with its number as `layer`. */
const layers: Layer[] = [];
let isGoingBack = false;
const waiting: (() => void)[] = [];

/** Lets the back button close what is open over the page. Closed in another way, it leaves the history, too. */
export function useCloseOnBack(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const layer = { close: () => close() };
    layers.push(layer);
    // Later, because one dialog may close while another one opens.
    queueMicrotask(updateHistory);
    return () => {
      const place = layers.indexOf(layer);
      if (place >= 0) layers.splice(place, 1);
      queueMicrotask(updateHistory);
    };
  }, [isOpen]);
}

/** Closes the layers whose entries the back button has left. Called on every `popstate`. */
export function closeLeftLayers(): void {
  if (isGoingBack) return;
  for (const layer of layers.splice(countLayerEntries()).toReversed()) layer.close();
  updateHistory();
}

/** Returns how many of the last entries of the history, up to the current one, belong to layers. */
export function countLayerEntries(): number {
  const { layer = 0 } = (history.state ?? {}) as { layer?: number };
  return layer;
}

/** Runs `change` at once, or after the history has left the entries of closed layers, which takes the browser a moment. */
export function changeHistory(change: () => void): void {
  if (isGoingBack) waiting.push(change);
  else change();
}

/** Adds or leaves entries until every open layer has one. */
function updateHistory(): void {
  if (isGoingBack) return;
  const surplus = countLayerEntries() - layers.length;
  if (surplus > 0) goBack(surplus);
  while (countLayerEntries() < layers.length)
    history.pushState({ ...history.state, layer: countLayerEntries() + 1 }, "");
}

function goBack(steps: number): void {
  isGoingBack = true;
  const finish = (): void => {
    isGoingBack = false;
    updateHistory();
    for (const change of waiting.splice(0)) change();
  };
  addEventListener("popstate", finish, { once: true });
  history.go(-steps);
}
