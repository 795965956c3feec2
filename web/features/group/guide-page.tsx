import { useId, type ReactNode } from "react";

import { Card } from "#web/ui/card.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import guide from "../../../docs/members.de.md?raw";
import styles from "./guide-page.module.css";
import { parseGuide, type Block, type Section, type Span } from "./rules.ts";

const pictures = import.meta.glob<string>("../../../docs/pictures/members-*.webp", {
  eager: true,
  query: "?url",
  import: "default",
});
const { title, introduction, sections } = parseGuide(guide);

export function GuidePage(): ReactNode {
  return (
    <Page title={title}>
      <Blocks blocks={introduction} />
      {sections.map((section) => (
        <Card key={section.heading}>
          <GuideSection section={section} />
        </Card>
      ))}
    </Page>
  );
}

function GuideSection({ section: { heading, picture, blocks } }: { section: Section }): ReactNode {
  const id = useId();
  return (
    <section className={styles["section"]} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {picture && (
        <img
          className={styles["picture"]}
          src={pictures[`../../../docs/pictures/${picture.name}`]}
          alt={picture.text}
          width={390}
          height={600}
          loading="lazy"
        />
      )}
      <Stack gap={3} className={styles["text"]}>
        <Blocks blocks={blocks} />
      </Stack>
    </section>
  );
}

function Blocks({ blocks }: { blocks: readonly Block[] }): ReactNode {
  return blocks.map((block, index) => <GuideBlock key={index} block={block} />);
}

function GuideBlock({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
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
