import type { ReactNode } from "react";

import styles from "./footer.module.css";
import { useGroup } from "./session.ts";

export function Footer({ isInert }: { isInert: boolean }): ReactNode {
  const { group_name: name, legal_links: links } = useGroup();
  return (
    <footer className={styles["footer"]} inert={isInert}>
      <p>
        © {new Date().getFullYear()} {name}
      </p>
      {links.length > 0 && (
        <ul className="text-links">
          {links.map((link) => (
            <li key={link.url + link.label}>
              <a href={link.url}>{link.label}</a>
            </li>
          ))}
        </ul>
      )}
    </footer>
  );
}
