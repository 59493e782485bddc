import { createHash } from 'node:crypto';
import type { Answer } from '../route/route.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for the inside of an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] as string);
}

const style = `:root{color-scheme:light dark;--ink:#1c2430;--soft:#55606e;--ground:#fff;--panel:#f4f6f8;--line:#d7dde4;--accent:#0b5cab;--good:#17663a;--warn:#8a4b00;--bad:#9b1c1c}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a3adba;--ground:#12161c;--panel:#1b212a;--line:#333d4a;--accent:#7cb7ff;--good:#7fd6a3;--warn:#f0b967;--bad:#ff9b9b}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
main,header,nav{max-width:62rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}
h1{font-size:1.7rem;margin:0 0 .4rem}
h2{margin:2.5rem 0 .5rem;text-transform:capitalize;font-size:1.25rem}
p{margin:.4rem 0}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--ground);padding:.5rem}
nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1rem;padding:0;list-style:none}
details{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;background:var(--panel)}
summary{padding:.6rem .8rem;cursor:pointer;overflow-wrap:anywhere}
details>div{padding:.2rem .9rem .9rem;background:var(--ground);border-top:1px solid var(--line);border-radius:0 0 8px 8px}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{background:var(--panel);padding:.7rem;overflow:auto;border-radius:6px}
.verb{display:inline-block;min-width:5rem;font-weight:700;margin-right:.4rem}
.GET{color:var(--accent)}.POST{color:var(--good)}.PUT,.PATCH{color:var(--warn)}.DELETE{color:var(--bad)}
.soft{color:var(--soft)}
table{border-collapse:collapse;width:100%;margin:.4rem 0 .8rem;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1rem 0 .2rem}`;

const styleHash = createHash('sha256').update(style).digest('base64');

const headers: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  // No script, nothing from elsewhere; the style by its hash.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A whole page around a body of HTML that the caller has escaped. */
export function htmlPage(status: number, title: string, bodyHtml: string): Answer {
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
}): Answer {
  const paragraphs = page.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('');
  const answer = htmlPage(page.status, `${page.title} - Pulsewire`, `<main><h1>${escapeHtml(page.heading)}</h1>${paragraphs}</main>`);
  return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
}
