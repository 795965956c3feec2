// Renders the calendar's built-in music, a music box and a soft organ: "Stille Nacht" (Franz Xaver
// Gruber, 1818) and "O Tannenbaum" (folk tune, in print since 1799), both in the public domain. Run
// after a change: node art/render-carol.ts. Requires the program lame.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const rate = 32_000;
const target = join(import.meta.dirname, "../server/features/calendar/carol.mp3");

/**
 * A song. `melody` and `chords` list `NAME:LENGTH` with the length in eighth notes; `-` is a rest.
 * `eighth`: seconds per eighth note.
 */
interface Song {
  readonly eighth: number;
  readonly melody: string;
  readonly chords: string;
  /**
   * The pattern in which the notes of a chord are played one by one: per eighth note, the index of
   * a note in the chord, or -1 for a rest. Starts again after the last entry.
   */
  readonly figure: readonly number[];
}

const silentNight: Song = {
  eighth: 0.41,
  melody: [
    "G4:1.5 A4:.5 G4:1 E4:3  G4:1.5 A4:.5 G4:1 E4:3  D5:2 D5:1 B4:3  C5:2 C5:1 G4:3",
    "A4:2 A4:1 C5:1.5 B4:.5 A4:1  G4:1.5 A4:.5 G4:1 E4:3  A4:2 A4:1 C5:1.5 B4:.5 A4:1  G4:1.5 A4:.5 G4:1 E4:3",
    "D5:2 D5:1 F5:1.5 D5:.5 B4:1  C5:3 E5:3  C5:1.5 G4:.5 E4:1 G4:1.5 F4:.5 D4:1  C4:5",
  ].join(" "),
  chords: "C:12 G7:6 C:6 F:6 C:6 F:6 C:6 G7:6 C:6 C:3 G7:3 C:3 C7:2",
  figure: [0, 2, 3, 4, 3, 2],
};

const christmasTree: Song = {
  eighth: 0.3,
  melody: [
    "C4:1  F4:1.5 F4:.5 F4:3 G4:1  A4:1.5 A4:.5 A4:3 A4:1  G4:1 A4:1 Bb4:2 E4:2  G4:2 F4:2 -:1 C5:1",
    "C5:1 A4:1 D5:3 C5:1  C5:1.5 Bb4:.5 Bb4:3 Bb4:1  Bb4:1 G4:1 C5:3 Bb4:1  Bb4:1.5 A4:.5 A4:2 -:1 C4:1",
    "F4:1.5 F4:.5 F4:3 G4:1  A4:1.5 A4:.5 A4:3 A4:1  G4:1 A4:1 Bb4:2 E4:2  G4:2 F4:4",
  ].join(" "),
  chords: "-:1 F:6 F:6 Gm:4 C7:2 C7:2 F:4 F:6 C7:6 C7:6 F:6 F:6 F:6 Gm:4 C7:2 C7:2 F:4",
  figure: [0, -1, 2, 3, 4, 3],
};

const chordNotes: Record<string, readonly string[]> = {
  C: ["C3", "E3", "G3", "C4", "E4"],
  C7: ["C3", "E3", "G3", "Bb3", "E4"],
  F: ["F2", "A3", "C4", "F4", "A4"],
  G7: ["G2", "B3", "D4", "F4", "G4"],
  Gm: ["G2", "Bb3", "D4", "G4", "Bb4"],
};

const steps: Record<string, number> = { C: -9, D: -7, E: -5, F: -4, G: -2, A: 0, B: 2 };

/** Returns the frequency of a note such as `Bb4`, in hertz. */
function frequencyOf(note: string): number {
  const step = steps[note[0]!]! + (note.includes("b") ? -1 : 0) + (Number(note.at(-1)) - 4) * 12;
  return 440 * 2 ** (step / 12);
}

type Track = { readonly left: Float64Array; readonly right: Float64Array };

/**
 * Adds a music box note: a decaying tone with short overtones. `at`: start in seconds; `pan`: -1
 * (left) to 1 (right).
 */
function addMusicBoxNote({ left, right }: Track, at: number, frequency: number, loudness: number, pan: number): void {
  const partials = [
    [1, 1, 1.9],
    [2.002, 0.28, 1.1],
    [4.02, 0.16, 0.35],
    [6.24, 0.1, 0.09],
  ] as const;
  const first = Math.round(at * rate);
  for (let index = 0; index < 3 * rate && first + index < left.length; index++) {
    const time = index / rate;
    const attack = Math.min(1, time / 0.003);
    let tone = 0;
    for (const [ratio, share, decay] of partials)
      tone += share * Math.exp((-time * 2.4) / decay) * Math.sin(2 * Math.PI * frequency * ratio * time);
    const sample = tone * attack * loudness * Math.min(1, (3 - time) * 4);
    left[first + index]! += sample * (1 - pan * 0.5);
    right[first + index]! += sample * (1 + pan * 0.5);
  }
}

/** Adds an organ note with a slow attack and a slight tremolo. `at` and `length` are in seconds. */
function addOrganNote({ left, right }: Track, at: number, frequency: number, length: number, loudness: number): void {
  const first = Math.round(at * rate);
  const release = 0.5;
  for (let index = 0; index < (length + release) * rate && first + index < left.length; index++) {
    const time = index / rate;
    const swell = Math.min(1, time / 0.18) * Math.min(1, Math.max(0, (length + release - time) / release));
    const phase = 2 * Math.PI * frequency * time;
    const tone = Math.sin(phase) + 0.35 * Math.sin(2 * phase) + 0.12 * Math.sin(3 * phase + 0.4);
    const sample = tone * swell * loudness * (1 + 0.06 * Math.sin(2 * Math.PI * 4.6 * time));
    left[first + index]! += sample;
    right[first + index]! += sample * 0.94;
  }
}

function parseVoice(line: string): [name: string, eighths: number][] {
  return line
    .trim()
    .split(/\s+/)
    .map((word) => [word.split(":")[0]!, Number(word.split(":")[1])]);
}

/** Adds a song to the track. `start` and the returned end are in seconds. */
function addSong(track: Track, { eighth, melody, chords, figure }: Song, start: number): number {
  let at = start;
  for (const [note, eighths] of parseVoice(melody)) {
    if (note !== "-") {
      addMusicBoxNote(track, at, frequencyOf(note) * 2, 0.3, 0.25);
      addMusicBoxNote(track, at, frequencyOf(note), 0.12, 0.1);
    }
    at += eighths * eighth;
  }
  const end = at;
  at = start;
  for (const [chord, eighths] of parseVoice(chords)) {
    const notes = chordNotes[chord];
    if (notes) {
      for (const note of notes.slice(0, 4)) addOrganNote(track, at, frequencyOf(note), eighths * eighth, 0.022);
      addOrganNote(track, at, frequencyOf(notes[0]!), eighths * eighth, 0.035);
      for (let beat = 0; beat < eighths; beat++) {
        const note = notes[figure[beat % figure.length]!];
        if (note) addMusicBoxNote(track, at + beat * eighth, frequencyOf(note), beat % 6 ? 0.07 : 0.1, -0.5);
      }
    }
    at += eighths * eighth;
  }
  return end;
}

/** Adds reverb with Schroeder's method: four parallel comb filters, then two all-pass filters. */
function addReverb(dry: Float64Array, spread: number): Float64Array {
  let wet = new Float64Array(dry.length);
  for (const [delay, feedback] of [
    [1187, 0.8],
    [1301, 0.79],
    [1453, 0.77],
    [1607, 0.76],
  ] as const) {
    const length = delay + spread;
    const comb = new Float64Array(dry.length);
    let low = 0;
    for (let index = 0; index < dry.length; index++) {
      low = low * 0.35 + (comb[index - length] ?? 0) * 0.65;
      comb[index] = dry[index]! + feedback * low;
      wet[index]! += comb[index]! * 0.25;
    }
  }
  for (const length of [347 + spread, 113 + spread]) {
    const passed = new Float64Array(wet.length);
    for (let index = 0; index < wet.length; index++)
      passed[index] = -0.6 * wet[index]! + (wet[index - length] ?? 0) + 0.6 * (passed[index - length] ?? 0);
    wet = passed;
  }
  return dry.map((sample, index) => sample * 0.8 + wet[index]! * 0.3);
}

function toPcm(left: Float64Array, right: Float64Array): Buffer {
  const loudest = left.reduce((most, sample, index) => Math.max(most, Math.abs(sample), Math.abs(right[index]!)), 0);
  const pcm = Buffer.alloc(left.length * 4);
  for (let index = 0; index < left.length; index++) {
    pcm.writeInt16LE(Math.round((left[index]! / loudest) * 26_000), index * 4);
    pcm.writeInt16LE(Math.round((right[index]! / loudest) * 26_000), index * 4 + 2);
  }
  return pcm;
}

const ringOut = 2.6;
const length = Math.ceil(64 * rate);
const track: Track = { left: new Float64Array(length), right: new Float64Array(length) };
const between = addSong(track, silentNight, 0.05);
const end = addSong(track, christmasTree, between - christmasTree.eighth);
const samples = Math.round((end + ringOut) * rate);
const [left, right] = [addReverb(track.left, 0), addReverb(track.right, 23)].map((side) => side.slice(0, samples));
const tail = rate * 1.2;
for (const side of [left!, right!])
  for (let index = 0; index < tail; index++) side[side.length - 1 - index]! *= index / tail;

const args = [
  "--silent",
  "-r",
  "-s",
  String(rate / 1000),
  "-m",
  "j",
  "--abr",
  "52",
  "--resample",
  "32",
  "-q",
  "0",
  "-",
  target,
];
const { status, stderr } = spawnSync("lame", args, { input: toPcm(left!, right!) });
if (status !== 0) throw new Error(`lame: ${String(stderr)}`);
