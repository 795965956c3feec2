import { createMemoryHistory, RouterContextProvider, type AnyRouter } from "@tanstack/react-router";
import { renderToStaticMarkup } from "react-dom/server";

import type { PageAudience, RenderedPage } from "#contract/built-pages.ts";
import { createAppRouter } from "./router.tsx";
import type { LazyPage } from "./router/lazy-page.tsx";
import frame from "./router/page-frame.module.css";
import { needsLogin, titleOf } from "./router/route-rules.ts";
import { pageRoutes } from "./routes.tsx";
import { becomeMember, updateGroup } from "./session/session.ts";
import { Shell } from "./shell/shell.tsx";
import { PlaceholderContext } from "./ui/placeholder.tsx";

interface PageRoute {
  readonly options: {
    readonly path: string;
    readonly staticData: { readonly who: PageAudience; readonly title: string; readonly isBare?: boolean };
    readonly component: LazyPage;
  };
}

/**
 * All modules that may contain a page; findModule() searches them for the one that a route loads.
 */
const modules = import.meta.glob<Readonly<Record<string, unknown>>>("./features/*/*page.tsx", { eager: true });

/**
 * In a placeholder, any id makes Avatar render `((picture))`, which the server replaces with the
 * URL of the logged-in member's picture.
 */
const picture = "own";

const nobody = {
  id: 0,
  uname: "((user.uname))",
  name: "((user.name))",
  email: "((user.email))",
  permissions: [],
  avatarId: picture,
  profile_picture: picture,
};

/**
 * Renders the placeholder (loading state) of every page to HTML. Called during the build
 * (web/build/pages.ts).
 */
export async function renderPages(): Promise<RenderedPage[]> {
  updateGroup({
    group_name: "((group.group_name))",
    group_short: "((group.group_short))",
    oidc_label: "((group.oidc_label))",
    password_login: "((group.password_login))" as "off",
  });
  const pages = (pageRoutes as readonly unknown[] as readonly PageRoute[]).filter(
    ({ options }) => !options.staticData.isBare,
  );
  const isForMembers = ({ options }: PageRoute): boolean => needsLogin(options.staticData.who);
  const ofGuests = await Promise.all(pages.filter((page) => !isForMembers(page)).map(renderPage));
  becomeMember(nobody, () => {});
  const ofMembers = await Promise.all(pages.filter(isForMembers).map(renderPage));
  return [...ofGuests, ...ofMembers];
}

async function renderPage({ options }: PageRoute): Promise<RenderedPage> {
  const { path, component } = options;
  const { who, title } = options.staticData;
  const Page = await component.code.load();
  const html = renderToStaticMarkup(
    <PlaceholderContext value={true}>
      <RouterContextProvider router={await createRouterAt(path)}>
        <Shell account={null} question={null}>
          <div className={frame["page"]}>
            <Page />
          </div>
        </Shell>
      </RouterContextProvider>
    </PlaceholderContext>,
  );
  return { path, who, title: titleOf(title, "((group.group_name))"), html, module: findModule(Page) };
}

/** Returns a router whose current page is `path`, with the number 1 for `$id`. */
async function createRouterAt(path: string): Promise<AnyRouter> {
  const history = createMemoryHistory({ initialEntries: [path.replace("$id", "1")] });
  const router = createAppRouter(history, { MemberPart: () => null });
  await router.load();
  return router;
}

function findModule(component: unknown): string {
  const found = Object.keys(modules).find((path) => Object.values(modules[path]!).includes(component));
  if (found === undefined) throw new Error("The component of a page is exported by no features/*/*page.tsx.");
  return found.replace("./", "");
}
