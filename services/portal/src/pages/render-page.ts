import { h, type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { hasScope, type Frame, type View, type Viewer } from './view.ts';

interface Entry {
  readonly section: string;
  readonly path: string;
  readonly text: string;
  readonly scope: string;
}

const entries: readonly Entry[] = [
  { section: 'home', path: '', text: 'Home', scope: 'read' },
  { section: 'users', path: '/users', text: 'Users', scope: 'read' },
  { section: 'deliveries', path: '/deliveries', text: 'Deliveries', scope: 'webhooks' },
  { section: 'endpoints', path: '/endpoints', text: 'Endpoints', scope: 'webhooks' },
];

// A page that this key may not open stays visible, with the scope to ask for.
function menuEntry({ section, path, text, scope }: Entry, root: string, viewer: Viewer, current: string | undefined) {
  if (!hasScope(viewer, scope)) return h('li', null, h('span', { class: 'off' }, text, h('small', null, `needs scope ${scope}`)));
  const attributes = { href: `${root}${path}` || '/', 'aria-current': section === current ? 'page' : undefined };
  return h('li', null, h('a', attributes, text));
}

function header({ root, viewer, formToken }: Frame, current: string | undefined): ComponentChildren {
  if (viewer === null) return null;
  const { teamName, isSandbox, label } = viewer;
  return h(
    'header',
    { class: 'top' },
    h('a', { class: 'skip', href: '#content' }, 'Skip to content'),
    h('p', { class: 'brand' }, h('strong', null, teamName), isSandbox ? h('span', { class: 'tag' }, 'sandbox') : null),
    h('nav', { 'aria-label': 'Main' }, h('ul', null, ...entries.map((entry) => menuEntry(entry, root, viewer, current)))),
    h(
      'form',
      { method: 'post', action: `${root}/sign-out`, class: 'who' },
      h('input', { type: 'hidden', name: 'form_token', value: formToken }),
      h('span', { class: 'soft', title: 'The label of the key' }, label),
      h('button', { type: 'submit', class: 'quiet' }, 'Sign out'),
    ),
  );
}

/** The whole document. The renderer escapes all text; there is no inline script or style. */
export function renderPage({ title, body, section }: View, frame: Frame): string {
  const head = h(
    'head',
    null,
    h('meta', { charset: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'robots', content: 'noindex' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('title', null, `${title} · Pulsewire`),
    h('link', { rel: 'icon', href: frame.iconHref, type: 'image/svg+xml' }),
    h('link', { rel: 'stylesheet', href: frame.styleHref }),
    h('script', { type: 'module', src: frame.scriptHref }),
  );
  const main = h('main', { id: 'content', tabIndex: -1, class: frame.viewer === null ? 'narrow' : undefined }, body);
  return `<!doctype html>${renderToString(h('html', { lang: 'en' }, head, h('body', null, header(frame, section), main)))}`;
}
