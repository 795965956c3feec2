import { useState, type MouseEvent, type ReactNode } from "react";

import { FlashArea } from "../flash.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Notices } from "./notices.tsx";
import styles from "./shell.module.css";

interface ShellProps {
  /** The menu of the member's account. */
  readonly account: ReactNode;
  /** What a member is asked on any page. */
  readonly question: ReactNode;
  readonly children: ReactNode;
}

/** What stands around every page: header with sidebar, the page itself, footer, and over it notices and flashes. */
export function Shell({ account, question, children }: ShellProps): ReactNode {
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#inhalt" onClick={skipToContent}>
        Zum Inhalt springen
      </a>
      <Header isSidebarOpen={isSidebarOpen} onSidebar={setSidebarOpen} account={account} />
      <main id="inhalt" className={styles["main"]} tabIndex={-1}>
        {/* Part of the page that it covers, so that a click on the page is a click on the scrim. */}
        <div className={styles["scrim"]} data-open={isSidebarOpen || undefined} />
        <div className={styles["column"]} inert={isSidebarOpen}>
          {children}
        </div>
      </main>
      <Footer isInert={isSidebarOpen} />
      <Notices question={question} />
      <FlashArea />
    </div>
  );
}

function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#inhalt")?.focus();
}
