import type { Duplex } from "node:stream";

import { scaleForGroup } from "#server/platform/limits/limits.ts";

/** Share of all sockets; the others are reserved for members. */
const anonymousShare = 0.8;

/** Sockets with an unchecked session, for each of an address that may be anonymous. */
const uncheckedPerAnonymous = 5;

/**
 * `unchecked` while a session cookie is being checked. Sockets of members are not limited per address, because all
 * phones in a hall may share one address.
 */
type Kind = "unchecked" | "anonymous" | "member";

export interface Place {
  become(kind: Kind): void;
}

/** Limits the whole server and each address. */
export function createSocketLimits({ maxSockets, maxPerIp }: { maxSockets: number; maxPerIp: number }) {
  const perAddress = { unchecked: new Map<string, number>(), anonymous: new Map<string, number>() };
  const maxPerAddress = { unchecked: uncheckedPerAnonymous * maxPerIp, anonymous: maxPerIp };
  let openCount = 0;

  function addTo(kind: Kind, address: readonly string[], difference: 1 | -1): void {
    if (kind === "member") return;
    for (const key of address) {
      const count = (perAddress[kind].get(key) ?? 0) + difference;
      if (count > 0) perAddress[kind].set(key, count);
      else perAddress[kind].delete(key);
    }
  }

  return {
    /** `change` is added to the number of sockets in use. */
    isFull(kind: "unchecked" | "anonymous", address: readonly string[], change = 0): boolean {
      if (openCount + change >= (kind === "anonymous" ? anonymousShare : 1) * maxSockets) return true;
      return address.some(
        (key, index) => (perAddress[kind].get(key) ?? 0) >= scaleForGroup(maxPerAddress[kind], index),
      );
    },
    /** Counts the socket until it is closed. */
    reserve(socket: Duplex, address: readonly string[], kind: Kind): Place {
      let current: Kind | null = kind;
      openCount += 1;
      addTo(kind, address, 1);
      socket.once("close", () => {
        openCount -= 1;
        if (current) addTo(current, address, -1);
        current = null;
      });
      return {
        become(next) {
          if (current === null) return;
          addTo(current, address, -1);
          addTo(next, address, 1);
          current = next;
        },
      };
    },
    size: () => openCount,
  };
}
