import { useQuery, skipToken } from "@tanstack/react-query";
import { createContext, use } from "react";
import * as z from "zod/mini";

import { getTvCode, getTvPicture, getTvScreen, makeTvCode, tvTokenHeader, type TvScreen } from "#contract/tv.ts";
import { ApiError, call } from "#web/client/api.ts";
import { queryClient } from "#web/data/query-client.ts";
import { reloadForNewerVersion } from "#web/page/newer-version.ts";
import { pollDelay } from "./rules.ts";

interface ScreenState {
  /** `null` before the first reply. */
  readonly screen: TvScreen | null;
  readonly version: string | null;
  /** Milliseconds by which the server's clock is ahead of the TV's clock. */
  readonly clockOffset: number;
  /** Server time of the last reply in epoch ms; `null` before the first reply. */
  readonly answeredAt: number | null;
  /** Number of consecutive failed requests. */
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

/** Over a bad connection, a request could hang for minutes. */
const requestTimeoutMs = 10_000;

/** Polls until the TV link is revoked. */
export function useTvScreen(token: string): ScreenState {
  const queryKey = ["tv", "screen", token];
  const { data } = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) =>
        fetchScreen(queryClient.getQueryData<ScreenState>(queryKey) ?? initialState, token, signal),
      refetchInterval: ({ state }) => (state.data?.isRevoked === true ? false : pollDelay(state.data?.failures ?? 0)),
      refetchIntervalInBackground: true,
      refetchOnReconnect: true,
    },
    queryClient,
  );
  return data ?? initialState;
}

async function fetchScreen(before: ScreenState, token: string, left: AbortSignal): Promise<ScreenState> {
  const signal = AbortSignal.any([left, AbortSignal.timeout(requestTimeoutMs)]);
  const query = before.version === null ? {} : { query: { version: before.version } };
  try {
    const { now, version, screen } = await call(getTvScreen, { headers: { [tvTokenHeader]: token }, signal, ...query });
    const answeredAt = Date.parse(now);
    // Whole seconds, so that small differences between replies do not change the value.
    const ahead = Math.round((answeredAt - Date.now()) / 1000) * 1000;
    return { ...initialState, screen: screen ?? before.screen, version, clockOffset: ahead, answeredAt };
  } catch (error) {
    if (left.aborted) throw error;
    if (error instanceof ApiError && error.status === 401) return { ...before, isRevoked: true };
    // A reply that does not match the contract comes from a newer version of the server.
    if ((error as Error).cause instanceof z.core.$ZodError) void reloadForNewerVersion();
    return { ...before, failures: before.failures + 1 };
  }
}

export const TokenContext = createContext("");

/** A data URL, because an `img` element cannot send the TV's token; `null` while loading. */
export function useTvPicture(id: string | null): string | null {
  const token = use(TokenContext);
  const { data } = useQuery(
    {
      queryKey: ["tv", "picture", id],
      queryFn: id === null ? skipToken : ({ signal }) => fetchPicture(id, token, signal),
      staleTime: Infinity,
    },
    queryClient,
  );
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

export interface ShownCode {
  readonly code: string;
  readonly secret: string;
  /** Both times are in epoch ms, by the TV's clock. */
  readonly madeAt: number;
  readonly expiresAt: number;
}

interface PairingState {
  readonly code: ShownCode | null;
  /** Number of consecutive failed requests. */
  readonly failures: number;
  /** Error message of the last request, empty after a success. */
  readonly problem: string;
  readonly isPaired: boolean;
}

const unpaired: PairingState = { code: null, failures: 0, problem: "", isPaired: false };
const noConnection = "Keine Verbindung. Sobald es geht, geht es weiter.";
const pairingKey = ["tv", "pairing"];

/** Creates a pairing code, polls until an administrator enters it, and replaces an expired code. */
export function useTvPairing(): PairingState {
  const { data } = useQuery(
    {
      queryKey: pairingKey,
      queryFn: ({ signal }) => fetchPairing(queryClient.getQueryData<PairingState>(pairingKey) ?? unpaired, signal),
      refetchInterval: ({ state }) => (state.data?.isPaired === true ? false : pollDelay(state.data?.failures ?? 0)),
      refetchIntervalInBackground: true,
      refetchOnReconnect: true,
      // The next pairing of this TV creates a new code.
      gcTime: 0,
    },
    queryClient,
  );
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
    // 429 (too many codes) resolves by waiting; all other failures count as a lost connection.
    const problem = error instanceof ApiError && error.status === 429 ? error.message : noConnection;
    return { code, failures: failures + 1, problem, isPaired: false };
  }
}

/** A code that the server does not know, e.g. after restoring a backup, counts as expired. */
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
