import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { createContext, use, useEffect, useMemo, useState } from "react";
import * as z from "zod/mini";

import type { ReplyOf } from "#contract/endpoint.ts";
import { getTvCode, getTvPicture, getTvScreen, makeTvCode, tvTokenHeader, type TvScreen } from "#contract/tv.ts";
import { ApiError, call } from "#web/client/api.ts";
import { keyOf } from "#web/client/queries.ts";
import { reloadForNewerVersion } from "#web/page/newer-version.ts";
import { pollDelay } from "./rules.ts";

/** A request over a bad connection can hang for minutes. */
export const requestTimeoutMs = 10_000;
export const noConnection = "Keine Verbindung. Sobald es geht, geht es weiter.";

/** Retries until success or a refusal with the status `last`. */
function retryUntil(last?: number) {
  return {
    retry: (_: number, error: Error) => !hasStatus(error, last),
    retryDelay: (failures: number) => pollDelay(failures + 1),
  };
}

export function pollUntil(last: number) {
  return {
    ...retryUntil(last),
    networkMode: "always" as const,
    refetchInterval: ({ state }: { state: { error: Error | null } }) => state.error === null && pollDelay(0),
    refetchIntervalInBackground: true,
  };
}

export function hasStatus(error: Error | null, status?: number): boolean {
  return error instanceof ApiError && error.status === status;
}

interface Attempts {
  readonly failureCount: number;
  readonly failureReason: Error | null;
}

export function isFailing({ failureCount }: Attempts): boolean {
  return failureCount >= 2;
}

export function useNewerVersion({ failureReason }: Attempts): void {
  useEffect(() => {
    // The reply comes from a newer version of the server.
    if (failureReason?.cause instanceof z.core.$ZodError) void reloadForNewerVersion();
  }, [failureReason]);
}

export interface ShownReply extends ReplyOf<typeof getTvScreen> {
  readonly screen: TvScreen;
}

/** Polls until the TV link is revoked. */
export function useTvScreen(token: string) {
  const query = useQuery({
    ...pollUntil(401),
    queryKey: [...keyOf(getTvScreen), token],
    queryFn: async ({ client, queryKey, signal }): Promise<ShownReply> => {
      const shown = client.getQueryData<ShownReply>(queryKey);
      const reply = await call(getTvScreen, {
        headers: { [tvTokenHeader]: token },
        ...(shown && { query: { version: shown.version } }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      });
      return { ...reply, screen: reply.screen ?? shown!.screen };
    },
  });
  useNewerVersion(query);
  const { data, dataUpdatedAt, error } = query;
  // Whole seconds, so that the requests' durations do not change it.
  const ahead = data ? Math.round((Date.parse(data.now) - dataUpdatedAt) / 1000) * 1000 : 0;
  return { reply: data, clockOffset: ahead, isCutOff: isFailing(query), isRevoked: hasStatus(error, 401) };
}

export const TokenContext = createContext("");

/** Fetches a picture, because an `img` element cannot send the TV's token. Returns `null` while loading. */
export function useTvPicture(id: string | null): string | null {
  const token = use(TokenContext);
  const { data } = useQuery({
    queryKey: [...keyOf(getTvPicture), id],
    queryFn: id === null ? skipToken : ({ signal }) => fetchPicture(id, token, signal),
    staleTime: Infinity,
  });
  return data ?? null;
}

async function fetchPicture(id: string, token: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(getTvPicture.path.replace(":id", id), { headers: { [tvTokenHeader]: token }, signal });
  if (!response.ok) throw new ApiError(response.status, "");
  return URL.createObjectURL(await response.blob());
}

export interface ShownCode {
  readonly code: string;
  readonly secret: string;
  /** Both in epoch ms, by the TV's clock. */
  readonly madeAt: number;
  readonly expiresAt: number;
}

export function useTvPairing() {
  const [code, setCode] = useState<ShownCode | null>(null);
  const making = useMutation({
    ...retryUntil(),
    mutationFn: () => call(makeTvCode, { signal: AbortSignal.timeout(requestTimeoutMs) }),
    onSuccess({ expires_in_seconds, ...made }) {
      const madeAt = Date.now();
      setCode({ ...made, madeAt, expiresAt: madeAt + expires_in_seconds * 1000 });
    },
  });
  const secret = code?.secret;
  const checking = useQuery({
    ...pollUntil(404),
    queryKey: [...keyOf(getTvCode), secret],
    queryFn:
      secret === undefined
        ? skipToken
        : ({ signal }) =>
            call(getTvCode, {
              headers: { [tvTokenHeader]: secret },
              signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
            }),
  });
  const state = checking.data?.state;
  // An unknown code, e.g. after restoring a backup, is expired.
  const isNeeded = code === null || state === "expired" || hasStatus(checking.error, 404);
  const { mutate: makeCode } = making;
  useEffect(() => {
    if (isNeeded) makeCode();
  }, [isNeeded, makeCode]);
  useNewerVersion(making);
  useNewerVersion(checking);
  const failing = [making, checking].find(isFailing);
  // 429 (too many codes) ends by waiting; other failures are lost connections.
  const problem = failing && (hasStatus(failing.failureReason, 429) ? failing.failureReason!.message : noConnection);
  const scope = checking.data?.scope;
  const paired = useMemo(
    () => (state === "paired" && secret !== undefined ? { token: secret, scope: scope ?? "tv" } : null),
    [state, secret, scope],
  );
  return { code, paired, problem };
}
