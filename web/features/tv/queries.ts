import { skipToken } from "@tanstack/react-query";
import { createContext, use } from "react";
import * as z from "zod/mini";

import { getTvCode, getTvPicture, getTvScreen, makeTvCode, tvTokenHeader, type TvScreen } from "#contract/tv.ts";
import { ApiError, call } from "#web/platform/api.ts";
import { reloadForNewerVersion } from "#web/platform/newer-version.ts";
import { queryClient, useQuery } from "#web/platform/query-client.ts";
import { pollDelay } from "./rules.ts";

/** What this television knows. */
export interface ScreenState {
  /** Null before the first answer. */
  readonly screen: TvScreen | null;
  readonly version: string | null;
  /** By how much the server's clock is ahead of the television's, and when it answered last by its own; in ms. */
  readonly clockOffset: number;
  readonly answeredAt: number | null;
  /** Requests in a row without an answer. */
  readonly failures: number;
  readonly isRevoked: boolean;
}

const initialState: ScreenState = {
  screen: null,
  version: null,
  clockOffset: 0,
  answeredAt: null,
  failures: 0,
  isRevoked: false,
};
/** With a bad connection a request may hang for minutes. */
const requestTimeoutMs = 10_000;

/** Fetches the screen again and again, also after failures, until the link is revoked. */
export function useTvScreen(token: string): ScreenState {
  const queryKey = ["tv", "screen", token];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      fetchScreen(queryClient.getQueryData<ScreenState>(queryKey) ?? initialState, token, signal),
    refetchInterval: ({ state }) => (state.data?.isRevoked === true ? false : pollDelay(state.data?.failures ?? 0)),
    refetchIntervalInBackground: true,
    refetchOnReconnect: true,
  });
  return data ?? initialState;
}

async function fetchScreen(before: ScreenState, token: string, left: AbortSignal): Promise<ScreenState> {
  const signal = AbortSignal.any([left, AbortSignal.timeout(requestTimeoutMs)]);
  const query = before.version === null ? {} : { query: { version: before.version } };
  try {
    const { now, version, screen } = await call(getTvScreen, { headers: { [tvTokenHeader]: token }, signal, ...query });
    const answeredAt = Date.parse(now);
    // Rounded to seconds, so that an unchanged offset stays the same value.
    const ahead = Math.round((answeredAt - Date.now()) / 1000) * 1000;
    return { ...initialState, screen: screen ?? before.screen, version, clockOffset: ahead, answeredAt };
  } catch (error) {
    if (left.aborted) throw error;
    if (error instanceof ApiError && error.status === 401) return { ...before, isRevoked: true };
    // The server has a newer version with another reply.
    if ((error as Error).cause instanceof z.core.$ZodError) void reloadForNewerVersion();
    return { ...before, failures: before.failures + 1 };
  }
}

/** The token, for the pictures. */
export const TokenContext = createContext("");

/** Somebody's picture as a data URL; null while there is none. An `img` by itself could not bring the token. */
export function useTvPicture(id: string | null): string | null {
  const token = use(TokenContext);
  const { data } = useQuery({
    queryKey: ["tv", "picture", id],
    queryFn: id === null ? skipToken : ({ signal }) => fetchPicture(id, token, signal),
    staleTime: Infinity,
  });
  return data ?? null;
}

async function fetchPicture(id: string, token: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(getTvPicture.path.replace(":id", id), { headers: { [tvTokenHeader]: token }, signal });
  if (!response.ok) throw new ApiError(response.status, "");
  const reader = new FileReader();
  reader.readAsDataURL(await response.blob());
  await new Promise((resolve, reject) => {
    reader.addEventListener("load", resolve);
    reader.addEventListener("error", reject);
  });
  return z.string().parse(reader.result);
}

/** The code that this television shows. Its own clock only measures how long the code is valid. */
export interface ShownCode {
  readonly code: string;
  readonly secret: string;
  readonly madeAt: number;
  readonly expiresAt: number;
}

interface PairingState {
  /** `null` before the first one was made. */
  readonly code: ShownCode | null;
  /** Requests in a row that failed, and what the page says about it from the second one on. */
  readonly failures: number;
  readonly problem: string;
  readonly isPaired: boolean;
}

const unpaired: PairingState = { code: null, failures: 0, problem: "", isPaired: false };
const noConnection = "Keine Verbindung. Sobald es geht, geht es weiter.";
const pairingKey = ["tv", "pairing"];

/** Makes a code, asks whether an administrator has entered it, and replaces it when it has expired. */
export function useTvPairing(): PairingState {
  const { data } = useQuery({
    queryKey: pairingKey,
    queryFn: ({ signal }) => fetchPairing(queryClient.getQueryData<PairingState>(pairingKey) ?? unpaired, signal),
    refetchInterval: ({ state }) => (state.data?.isPaired === true ? false : pollDelay(state.data?.failures ?? 0)),
    refetchIntervalInBackground: true,
    refetchOnReconnect: true,
    // The next pairing of this television begins with another code.
    gcTime: 0,
  });
  return data ?? unpaired;
}

async function fetchPairing({ code, failures }: PairingState, left: AbortSignal): Promise<PairingState> {
  const signal = AbortSignal.any([left, AbortSignal.timeout(requestTimeoutMs)]);
  try {
    const state = code === null ? "expired" : await findCodeState(code, signal);
    if (state === "waiting") return { ...unpaired, code };
    if (state === "paired") return { ...unpaired, code, isPaired: true };
    return { ...unpaired, code: await makeCode(signal) };
  } catch (error) {
    if (left.aborted) throw error;
    if ((error as Error).cause instanceof z.core.$ZodError) void reloadForNewerVersion();
    // Too many codes is the only refusal that waiting helps against.
    const problem = error instanceof ApiError && error.status === 429 ? error.message : noConnection;
    return { code, failures: failures + 1, problem, isPaired: false };
  }
}

/** A restored server does not know the code any more: that one has expired, too. */
async function findCodeState({ secret }: ShownCode, signal: AbortSignal): Promise<"waiting" | "paired" | "expired"> {
  try {
    return (await call(getTvCode, { headers: { [tvTokenHeader]: secret }, signal })).state;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return "expired";
    throw error;
  }
}

async function makeCode(signal: AbortSignal): Promise<ShownCode> {
  const { secret, code, expires_in_seconds } = await call(makeTvCode, { signal });
  const madeAt = Date.now();
  return { secret, code, madeAt, expiresAt: madeAt + expires_in_seconds * 1000 };
}
