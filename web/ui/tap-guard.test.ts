// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";

import { guardTaps } from "./tap-guard.ts";

guardTaps();

let heard: string[];
document.body.addEventListener("click", ({ target }) => heard.push((target as Element).id));
let start = 0;
beforeEach(() => {
  heard = [];
  start += 10_000;
  document.body.innerHTML = `
    <button id="start"></button>
    <button id="end" data-guarded></button>
    <dialog id="question"><button id="yes"></button><button id="delete" data-guarded></button></dialog>`;
});

/** Taps at a time in ms. */
function tap(id: string, at: number, { x = 200, y = 700, detail = 1 } = {}): void {
  const click = new MouseEvent("click", { bubbles: true, clientX: x, clientY: y, detail });
  Object.defineProperty(click, "timeStamp", { value: start + at });
  document.getElementById(id)!.dispatchEvent(click);
}

test.each([
  ["another button", "start"],
  ["another button of the same dialog", "yes"],
])("a guarded button ignores a tap for 600 ms where a finger has tapped %s", (_, first) => {
  tap(first, 0);
  tap("delete", 599, { x: 210, y: 690 });
  expect(heard).toEqual([first]);
  tap("delete", 1199);
  expect(heard).toEqual([first, "delete"]);
});

test("a dialog ignores the second tap on its opener, and counts a tap at another place at once", () => {
  tap("start", 0);
  tap("yes", 100);
  tap("question", 120);
  expect(heard).toEqual(["start"]);
  tap("yes", 140, { x: 80 });
  expect(heard).toEqual(["start", "yes"]);
});

test("taps on the same guarded button, on unguarded buttons and by keyboard count at once", () => {
  tap("end", 0);
  tap("end", 50);
  tap("start", 100);
  tap("end", 150, { detail: 0 });
  expect(heard).toEqual(["end", "end", "start", "end"]);
});
