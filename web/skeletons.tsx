import "./skeleton-globals.ts";
import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import pageView from "./platform/page-view.module.css";
import type { PageRoute } from "./platform/pages.ts";
import { needsLogin, titleOf } from "./platform/route-rules.ts";
import { becomeMember, updateGroup } from "./platform/session.ts";
import notices from "./platform/shell/notices.module.css";
import { Shell } from "./platform/shell/shell.tsx";
import { routes } from "./routes.tsx";
import { Spinner } from "./ui/spinner.tsx";

/** As vite.config.ts reads it. */
interface Skeleton {
  readonly title: string;
  readonly html: string;
}

const picture = "of-the-member";
const nobody = {
  id: 0,
  uname: "kept:uname",
  name: "kept:name",
  email: "kept:email",
  permissions: [],
  avatarId: picture,
  profile_picture: picture,
};

/** base.css shows it after a while: without early.js, which may be lost on the way, nothing else would ever happen. */
const late = renderToStaticMarkup(
  <p className="late">
    {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- the address of the page itself */}
    <a className={notices["notice"]} href="">
      <RefreshCw size={20} />
      Das dauert zu lange – neu laden
    </a>
  </p>,
);

/** For pages that are not known, and without connection. */
export const unknownPage = renderSkeleton(
  "everyone",
  "Stammtisch",
  <div className="splash">
    <Spinner size={48} />
  </div>,
);

/** By path, for the build; the server fills in the settings of the group. */
export const skeletons: Record<string, Skeleton> = await renderPages();

async function renderPages(): Promise<Record<string, Skeleton>> {
  updateGroup({ group_name: "%group_name%", group_short: "%group_short%" });
  const pages = routes.filter(({ isBare }) => !isBare);
  const forVisitors = await Promise.all(pages.filter(({ who }) => !needsLogin(who)).map(renderPage));
  becomeMember(nobody, () => {});
  const forMembers = await Promise.all(pages.filter(({ who }) => needsLogin(who)).map(renderPage));
  return Object.fromEntries([...forVisitors, ...forMembers]);
}

/** The page itself as it is while its data are loading. */
async function renderPage({ path, who, title, page }: PageRoute): Promise<[path: string, Skeleton]> {
  const Page = await page.load().catch((cause: unknown) => {
    throw new Error(`The skeleton of ${path} cannot be rendered.`, { cause });
  });
  const audience = typeof who === "string" ? who : "member";
  const content = (
    <div className={pageView["page"]}>
      <Page />
    </div>
  );
  return [path, renderSkeleton(audience, titleOf(title, "%group_name%"), content)];
}

function renderSkeleton(audience: string, title: string, content: ReactNode): Skeleton {
  const html = renderToStaticMarkup(
    <Shell account={null} question={null}>
      {content}
    </Shell>,
  )
    // Not on the first screen, of today, or not known yet.
    .replaceAll(/<(audio|dialog|footer|nav id="seitenleiste") .*?<\/(audio|dialog|footer|nav)>/g, "")
    .replaceAll(/<link [^>]*>/g, "")
    // Nothing can be sent, and nothing is taken for a control of the app: what is typed or tapped here would be lost.
    .replaceAll(/<(\/?)form\b/g, "<$1div")
    .replaceAll(/<button (?![^>]* disabled="")(.*?)<\/button>/g, "<span data-button $1</span>")
    .replaceAll("<input ", "<input readonly ")
    .replaceAll(/ (name|for)="[^"]*"/g, "")
    // early.js sets what is known of the member, and styles, since the Content-Security-Policy forbids them as attributes.
    .replaceAll(/ value="kept:(\w+)"/g, ' data-kept="$1"')
    .replaceAll(/ src="\/internal\/images\/avatar\/of-the-member"/g, " data-own-picture")
    .replaceAll(" style=", " data-style=");
  return { title, html: `<div class="skeleton" data-for="${audience}" aria-hidden="true" inert>${html}</div>${late}` };
}
