import type { ReactNode } from "react";

import { useSearch } from "#web/platform/location.ts";
import { PartyList } from "./components/party-list.tsx";
import { PartyView } from "./components/party-view.tsx";
import { parsePartyId } from "./rules.ts";

/** All parties, or the one in the address. */
export function PartyPage(): ReactNode {
  const id = parsePartyId(useSearch());
  return id === null ? <PartyList /> : <PartyView key={id} id={id} />;
}
