interface Element {
  /** Position before the end of the element's start tag. */
  readonly end: number;
  readonly isControl: boolean;
  readonly isInEarly: boolean;
  readonly children: Element[];
}

/**
 * Makes everything in React's HTML inert except the early controls, which work before the app has started: buttons with
 * the attribute `data-early`, and the fields, labels and submit button of a form with that attribute.
 */
export function makeInert(html: string): string {
  const root: Element = { end: 0, isControl: false, isInEarly: false, children: [] };
  const open = [root];
  // React escapes angle brackets in texts and attributes.
  for (const { 0: tag, index } of html.matchAll(/<[^>]+>/g)) {
    if (tag.startsWith("</")) {
      open.pop();
      continue;
    }
    const { isInEarly, children } = open.at(-1)!;
    const isEarly = / data-early="/.test(tag);
    const isControl = tag.startsWith("<button ")
      ? isEarly || (isInEarly && / type="submit"/.test(tag))
      : isInEarly && /^<(label|input)\b/.test(tag);
    const isEmpty = tag.endsWith("/>");
    const end = index + tag.length - (isEmpty ? 2 : 1);
    const element = { end, isControl, isInEarly: isInEarly || isEarly, children: [] };
    children.push(element);
    if (!isEmpty) open.push(element);
  }
  const ends = findInert(root).map(({ end }) => end);
  return [0, ...ends].map((from, place) => html.slice(from, ends[place])).join(' inert aria-hidden="true"');
}

/** Returns the outermost elements without an early control. */
function findInert({ children }: Element): Element[] {
  return children.flatMap((child) => (hasControl(child) ? (child.isControl ? [] : findInert(child)) : [child]));
}

function hasControl({ isControl, children }: Element): boolean {
  return isControl || children.some(hasControl);
}
