import { escapeHtml } from "#server/platform/escape-html.ts";

/** Never contains text that members wrote, so that members cannot send messages through our mails. */
export interface Email {
  readonly recipient: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The URL is also shown as text below the button, so that the recipient can check and copy it. */
  readonly link?: { readonly label: string; readonly url: string };
  readonly closing: string;
}

/** The HTML loads no external resources. */
export function renderEmail(message: Email, groupName: string): { subject: string; text: string; html: string } {
  const subject = `${message.subject} – ${groupName}`;
  return { subject, text: renderText(message, groupName), html: renderHtml(message, subject, groupName) };
}

function renderText({ paragraphs, link, closing }: Email, groupName: string): string {
  const blocks = [greeting, ...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), closing, `– ${groupName}`];
  return `${blocks.join("\n\n")}\n`;
}

const greeting = "Hallo,";
const font = "font-family:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const textColor = "color:#2e1c0f";
const mutedColor = "color:#6b5443";

function renderHtml({ paragraphs, link, closing }: Email, subject: string, groupName: string): string {
  const paragraph = (text: string, colour = textColor) =>
    `<p style="margin:0 0 16px;${font};font-size:16px;line-height:1.5;${colour}">${escapeHtml(text)}</p>`;
  const button = link
    ? `<p style="margin:24px 0"><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:14px 24px;border-radius:12px;background:#f5b11d;${font};font-size:16px;font-weight:700;color:#2e1c0f;text-decoration:none">${escapeHtml(link.label)}</a></p>
<p style="margin:0 0 16px;${font};font-size:13px;line-height:1.5;word-break:break-all;${mutedColor}">${escapeHtml(link.url)}</p>`
    : "";
  return `<!doctype html>
<html lang="de">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#efe4d0">
<div style="max-width:520px;margin:0 auto;padding:28px 24px;border-radius:20px;background:#fffaf0;border-top:8px solid #f5b11d">
<p style="margin:0 0 20px;${font};font-size:14px;font-weight:700;letter-spacing:.04em;${mutedColor}">${escapeHtml(groupName)}</p>
${[greeting, ...paragraphs].map((text) => paragraph(text)).join("\n")}
${button}
${paragraph(closing, mutedColor)}
</div>
</body>
</html>
`;
}
