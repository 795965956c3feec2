import { beforeEach, expect, test, vi } from "vitest";

import { createMusic, type AudioPlayer } from "./background-music.ts";

class FakePlayer implements AudioPlayer {
  volume = 1;
  paused = true;
  mayPlay = true;

  async play(): Promise<void> {
    if (!this.mayPlay) throw new DOMException("Click first.", "NotAllowedError");
    this.paused = false;
  }

  pause(): void {
    this.paused = true;
  }
}

let player: FakePlayer;
let clicks: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  player = new FakePlayer();
  clicks = new EventTarget();
  vi.stubGlobal("document", clicks);
});

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("fades in from silence, a hundredth every 50 ms, to full volume", async () => {
  const onStart = vi.fn<() => void>();
  createMusic(player, onStart).start();
  expect(player.volume).toBe(0);
  await wait(500);
  expect(onStart).toHaveBeenCalledOnce();
  expect(player.volume).toBe(0.1);
  await wait(10_000);
  expect(player.volume).toBe(1);
});

test("fades out within 1.1 s and resolves when it has paused", async () => {
  const music = createMusic(player, () => {});
  music.start();
  await wait(6000);
  let isOver = false;
  void music.fadeOut().then(() => (isOver = true));
  await wait(500);
  expect(player.volume).toBe(0.5);
  expect(isOver).toBe(false);
  await wait(600);
  expect([player.volume, player.paused, isOver]).toEqual([0, true, true]);
});

test("pauses at once where the device keeps the volume for itself, as iPhones do", async () => {
  Object.defineProperty(player, "volume", { get: () => 1, set: () => {} });
  const music = createMusic(player, () => {});
  music.start();
  await wait(6000);
  let isOver = false;
  void music.fadeOut().then(() => (isOver = true));
  await wait(100);
  expect([player.paused, isOver]).toEqual([true, true]);
});

test("fades out from wherever the fade in has come to", async () => {
  const music = createMusic(player, () => {});
  music.start();
  await wait(1000);
  void music.fadeOut();
  await wait(200);
  expect(player.paused).toBe(true);
  await wait(5000);
  expect(player.volume).toBe(0);
});

test("fades in again when the member stays", async () => {
  const music = createMusic(player, () => {});
  music.resume();
  expect(player.paused).toBe(true);
  music.start();
  await wait(6000);
  void music.fadeOut();
  await wait(500);
  music.resume();
  await wait(10_000);
  expect([player.volume, player.paused]).toEqual([1, false]);
});

test("starts with the next click where the browser asks for one, and again with the one after", async () => {
  player.mayPlay = false;
  const onStart = vi.fn<() => void>();
  createMusic(player, onStart).start();
  await wait(10);
  clicks.dispatchEvent(new Event("click"));
  await wait(10);
  expect(onStart).not.toHaveBeenCalled();
  player.mayPlay = true;
  clicks.dispatchEvent(new Event("click"));
  await wait(10);
  expect(onStart).toHaveBeenCalledOnce();
  expect(player.paused).toBe(false);
});

test("does not wait for a click any more once the page is left", async () => {
  player.mayPlay = false;
  const music = createMusic(player, () => {});
  music.start();
  await wait(10);
  await music.fadeOut();
  player.mayPlay = true;
  clicks.dispatchEvent(new Event("click"));
  await wait(10);
  expect(player.paused).toBe(true);
});
