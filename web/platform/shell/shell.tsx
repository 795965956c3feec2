import { useState, type MouseEvent, type ReactNode } from "react";

import { FlashArea } from "../flash.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { NotificationBar } from "./notification-bar.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import styles from "./shell.module.css";
import { UpdateBar } from "./update-bar.tsx";

/** What stands around every page: header with sidebar, bars, the page itself, footer, and the flashes over it. */
export function Shell({ children }: { children: ReactNode }): ReactNode {
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#inhalt" onClick={skipToContent}>
        Zum Inhalt springen
      </a>
      <Header isSidebarOpen={isSidebarOpen} onSidebar={setSidebarOpen} />
      <NotificationBar />
      <main id="inhalt" className={styles["main"]} tabIndex={-1}>
        {/* Part of the page that it covers, so that a click on the page is a click on the scrim. */}
        <div className={styles["scrim"]} data-open={isSidebarOpen || undefined} />
        <div className={styles["column"]} inert={isSidebarOpen}>
          {children}
        </div>
      </main>
      <Footer isInert={isSidebarOpen} />
      <div className={styles["notices"]}>
        <OfflineBar />
        <UpdateBar />
      </div>
      <FlashArea />
    </div>
  );
}

function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#inhalt")?.focus();
}
