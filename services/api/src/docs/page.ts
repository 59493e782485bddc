import { createHash } from 'node:crypto';
import type { RouteResponse } from '../route/route.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for the inside of an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] as string);
}

const style = `:root{color-scheme:light dark;--ink:#1c2430;--ground:#fff;--accent:#0b5cab}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--ground:#12161c;--accent:#7cb7ff}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
main{max-width:62rem;margin:0 auto;padding:0 1.25rem}
h1{font-size:1.7rem;margin:0 0 .4rem}
p{margin:.4rem 0}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}`;

const styleHash = createHash('sha256').update(style).digest('base64');

const headers: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  // No scripts, nothing from other origins; the style is allowed by its hash.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A complete page around an HTML body; the caller must have escaped it. */
function htmlPage(status: number, title: string, bodyHtml: string): RouteResponse {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>${bodyHtml}</body></html>
`;
  return { status, headers, body };
}

/** A small page of plain text: a heading and some paragraphs. */
export function renderPage(page: {
  readonly status: number;
  readonly title: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
}): RouteResponse {
  const paragraphs = page.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('');
  const response = htmlPage(page.status, `${page.title} - Pulsewire`, `<main><h1>${escapeHtml(page.heading)}</h1>${paragraphs}</main>`);
  return { ...response, headers: { ...response.headers, 'cache-control': 'no-store' } };
}
