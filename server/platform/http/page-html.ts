import type { BuiltPage, PageReader } from "#contract/built-pages.ts";
import type { GroupConfig } from "#contract/group-config.ts";
import { getAvatarImage } from "#contract/members.ts";
import { escapeHtml } from "#server/platform/escape-html.ts";

interface PageData {
  readonly group: GroupConfig;
  /** Member or visitor; `null` if the database did not answer in time. */
  readonly reader: PageReader | null;
}

/**
 * Page that the app will show at `path`, after its redirects to the login or dashboard. `undefined` for an unknown
 * path, for a member without permission, and if `reader` is `null`.
 */
export function choosePage(
  findPage: (path: string) => BuiltPage | undefined,
  path: string,
  reader: PageReader | null,
): BuiltPage | undefined {
  const sought = path.replace(/(.)\/$/, "$1").toLowerCase();
  const page = findPage(sought) ?? findPage(sought.replace(/(?<=\/)[1-9]\d{0,8}$/, "$id"));
  if (page === undefined || reader === null) return undefined;
  const { who } = page;
  if (who === "everyone") return page;
  if (who === "guest") return reader.user === null ? page : findPage("/dashboard");
  if (reader.user === null) return findPage("/login");
  const { permissions } = reader.user;
  return who === "member" || who.every((permission) => permissions.includes(permission)) ? page : undefined;
}

/**
 * Fills index.html with the page's prebuilt HTML, which is shown until the app has loaded, and with the data that the
 * app would otherwise request first.
 */
export function fillPage(index: string, page: BuiltPage | undefined, data: PageData): string {
  const head = [
    createMeta("group", JSON.stringify(data.group)),
    createMeta("reader", data.reader === null ? "" : JSON.stringify(data.reader)),
    createMeta("scripts", page?.scripts.join(" ") ?? ""),
    ...(page?.styles ?? []).map((path) => `<link rel="stylesheet" href="/${path}" />`),
  ];
  const title = page?.title ?? "((group.group_name))";
  return index
    .replace("<title>Stammtisch</title>", () => `<title>${fillMarks(title, data)}</title>`)
    .replace("<!-- head -->", () => head.join(""))
    .replace("<!-- placeholder -->", () => (page === undefined ? "" : fillMarks(page.html, data)));
}

function createMeta(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}" />`;
}

/** Replaces marks such as `((user.name))`; a mark without a value becomes empty. */
function fillMarks(html: string, { group, reader }: PageData): string {
  const picture = reader?.user?.profile_picture ?? null;
  const values = { group, ...reader, picture: picture === null ? "" : getAvatarImage.path.replace(":id", picture) };
  return html.replaceAll(/\(\(([\w.-]+)\)\)/g, (_, path: string) => escapeHtml(readText(values, path)));
}

/** Formats the value as in the app. */
function readText(values: object, path: string): string {
  let value: unknown = values;
  for (const name of path.split(".")) value = formatValue(Object(value)[name]);
  return typeof value === "string" ? value : "";
}

function formatValue(value: unknown): unknown {
  return typeof value === "number" ? value.toLocaleString("de") : value;
}
