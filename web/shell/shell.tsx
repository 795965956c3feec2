import { useState, type MouseEvent, type ReactNode } from "react";

import { usePlaceholder } from "#web/ui/placeholder.tsx";
import { FlashArea } from "./flash.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { ConnectionNotice, Notices } from "./notices.tsx";
import styles from "./shell.module.css";

interface ShellProps {
  /** The account menu in the header; `false` for guests. */
  readonly account: ReactNode;
  /** The question about notifications; `false` for guests. */
  readonly question: ReactNode;
  readonly children: ReactNode;
}

/** The layout of every page: header with sidebar, content, footer, notices and flash messages. */
export function Shell({ account, question, children }: ShellProps): ReactNode {
  const isPlaceholder = usePlaceholder();
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#inhalt" onClick={skipToContent}>
        Zum Inhalt springen
      </a>
      <Header isSidebarOpen={isSidebarOpen} onSidebar={setSidebarOpen} account={account} />
      {!isPlaceholder && <ConnectionNotice />}
      <main id="inhalt" className={styles["main"]} tabIndex={-1}>
        {/* The scrim is inside the `main` that it covers, so that a click on the page hits the
            scrim. */}
        <div className={styles["scrim"]} data-open={isSidebarOpen || undefined} />
        <div className={styles["column"]} inert={isSidebarOpen}>
          {children}
        </div>
      </main>
      {!isPlaceholder && (
        <>
          <Footer isInert={isSidebarOpen} />
          <Notices question={question} />
          <FlashArea />
        </>
      )}
    </div>
  );
}

function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#inhalt")?.focus();
}
