import { h } from 'preact';
import type { PageProvider } from '@pulsewire/connections';
import type { Message } from '../messages/link-errors.ts';
import { alertBox, heading, statusLine } from './parts.ts';
import { readsOf } from '../messages/resources.ts';
import { pageHref, type Places, type View } from './view.ts';

/** Lists of this length get a search box. */
const searchFrom = 6;

function searchBox() {
  // It works only with the script, so the script shows it.
  return h(
    'div',
    { class: 'search', hidden: true, 'data-search': '' },
    h('label', { for: 'search' }, 'Search'),
    h('input', { id: 'search', type: 'search', autocomplete: 'off', spellcheck: false }),
  );
}

function row(places: Places, token: string, { key, connector }: PageProvider) {
  const { slug, name, description } = connector;
  return h(
    'li',
    { 'data-words': `${name} ${slug} ${description}`.toLowerCase() },
    h(
      'a',
      { href: pageHref(places, token, { provider: key }), class: 'provider' },
      h('img', { src: places.logoFor(slug), alt: '', width: 40, height: 40 }),
      h('span', null, h('span', { class: 'name' }, name), h('span', { class: 'soft' }, description)),
    ),
  );
}

/** The list to choose from. */
export function pickerView(
  places: Places,
  page: { readonly token: string; readonly teamName: string; readonly providers: readonly PageProvider[]; readonly alert: Message | null },
): View {
  const { token, teamName, providers, alert } = page;
  const title = 'Connect a device or app';
  return {
    title: alert ? `Error: ${alert.title}` : title,
    closeToken: token,
    body: [
      alert && alertBox(alert),
      heading(title),
      h(
        'p',
        { class: 'soft' },
        h('strong', null, teamName),
        ` would like to read your health data: ${readsOf(providers.flatMap(({ connector }) => connector.resources))}. You see the details before you agree; nothing is shared before that.`,
      ),
      providers.length >= searchFrom ? searchBox() : null,
      statusLine(),
      h('ul', { class: 'providers' }, ...providers.map((provider) => row(places, token, provider))),
    ],
  };
}

/** There is nothing to choose from. */
export function emptyView(token: string): View {
  const title = 'There is nothing to connect here';
  return {
    title,
    closeToken: token,
    body: [
      heading(title),
      h(
        'p',
        null,
        'This link is for something that cannot be connected in a browser: phones and Bluetooth devices are connected inside the app, and others may not be set up. Go back to the app that sent you here.',
      ),
    ],
  };
}
