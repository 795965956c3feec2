import type { ReactNode } from "react";

import { Card } from "#web/ui/card.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import guide from "../../../docs/members.de.md?raw";
import styles from "./page.module.css";
import { parseGuide, type Block, type Span } from "./rules.ts";

/** Addresses of the pictures by path. */
const pictures = import.meta.glob<string>("../../../docs/pictures/members-*.webp", {
  eager: true,
  query: "?url",
  import: "default",
});
const { title, blocks } = parseGuide(guide);

/** The guide for members, the same as docs/members.de.md. */
export function GuidePage(): ReactNode {
  return (
    <Page title={title}>
      <Card>
        <Stack gap={3} className={styles["text"]}>
          {blocks.map((block, index) => (
            <GuideBlock key={index} block={block} />
          ))}
        </Stack>
      </Card>
    </Page>
  );
}

function GuideBlock({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case "heading":
      return <h2>{block.text}</h2>;
    case "picture":
      return (
        <img
          className={styles["picture"]}
          src={pictures[`../../../docs/pictures/${block.name}`]}
          alt={block.text}
          width={390}
          height={600}
          loading="lazy"
        />
      );
    case "list":
      return (
        <ul className={styles["list"]}>
          {block.items.map((spans, index) => (
            <li key={index}>
              <Spans spans={spans} />
            </li>
          ))}
        </ul>
      );
    case "paragraph":
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      );
  }
}

function Spans({ spans }: { spans: readonly Span[] }): ReactNode {
  return spans.map(({ kind, text }, index) => {
    if (kind === "text") return text;
    const Element = kind;
    return <Element key={index}>{text}</Element>;
  });
}
