import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { PartyList } from "./components/party-list.tsx";
import { PartyView } from "./components/party-view.tsx";

export const PartiesPage = PartyList;

/** Shows the party whose id is in the page's address. */
export function PartyPage(): ReactNode {
  const { id } = useParams({ from: "/party/$id" });
  return <PartyView key={id} id={id} />;
}
