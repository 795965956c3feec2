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

test("the calendar's music fades in from silence to full volume, by 1 % every 50 ms", async () => {
  const onStart = vi.fn<() => void>();
  createMusic(player, onStart).start();
  expect(player.volume).toBe(0);
  await wait(500);
  expect(onStart).toHaveBeenCalledOnce();
  expect(player.volume).toBe(0.1);
  await wait(10_000);
  expect(player.volume).toBe(1);
});

test("fadeOut silences the music within 1.1 s and resolves after the player has paused", async () => {
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

test("fadeOut pauses at once if the device does not let pages change the volume, like iPhones", async () => {
  Object.defineProperty(player, "volume", { get: () => 1, set: () => {} });
  const music = createMusic(player, () => {});
  music.start();
  await wait(6000);
  let isOver = false;
  void music.fadeOut().then(() => (isOver = true));
  await wait(100);
  expect([player.paused, isOver]).toEqual([true, true]);
});

test("fadeOut starts from the current volume if the music is still fading in", async () => {
  const music = createMusic(player, () => {});
  music.start();
  await wait(1000);
  void music.fadeOut();
  await wait(200);
  expect(player.paused).toBe(true);
  await wait(5000);
  expect(player.volume).toBe(0);
});

test("resume fades the music in again after a cancelled fade-out", async () => {
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

test("the calendar's music starts with a later click if the browser refuses to play before a click", async () => {
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

test("the calendar's music does not start with a click after the member has left the page", async () => {
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
