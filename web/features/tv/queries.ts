import { skipToken } from "@tanstack/react-query";
import { createContext, use } from "react";
import * as z from "zod/mini";

import { getTvPicture, getTvScreen, tvTokenHeader, type TvScreen } from "#contract/tv.ts";
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
