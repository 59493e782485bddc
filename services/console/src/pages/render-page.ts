import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Places, View } from './view.ts';

function closeButton(places: Places, token: string) {
  return h(
    'form',
    { method: 'post', action: `${places.root}/close`, class: 'close' },
    h('input', { type: 'hidden', name: 'token', value: token }),
    h('button', { type: 'submit', class: 'quiet', 'aria-label': 'Close without connecting' }, h('span', { 'aria-hidden': 'true' }, '×')),
  );
}

/** The whole document. The renderer escapes all text; there is no inline script or style. */
export function renderPage({ title, body, closeToken, redirectTo }: View, places: Places): string {
  const head = h(
    'head',
    null,
    h('meta', { charset: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'robots', content: 'noindex' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    redirectTo === undefined ? null : h('meta', { 'http-equiv': 'refresh', content: `0; url=${redirectTo}` }),
    h('title', null, title),
    h('link', { rel: 'icon', href: places.iconHref, type: 'image/svg+xml' }),
    h('link', { rel: 'stylesheet', href: places.styleHref }),
    h('script', { type: 'module', src: places.scriptHref }),
  );
  const main = h('main', null, closeToken === undefined ? null : closeButton(places, closeToken), body);
  return `<!doctype html>${renderToString(h('html', { lang: 'en' }, head, h('body', null, main)))}`;
}
