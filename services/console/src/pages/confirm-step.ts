import { h } from 'preact';
import type { PageProvider } from '@pulsewire/connections';
import { hidden, providerHead, statusLine } from './parts.ts';
import { readsOf } from '../messages/resources.ts';
import type { Places, View } from './view.ts';

export interface ConfirmState {
  readonly token: string;
  readonly teamName: string;
  readonly connector: Pick<PageProvider['connector'], 'name' | 'slug' | 'resources'>;
  /** Id of the held consent. */
  readonly consent: string;
  readonly formKey: string;
}

/**
 * The last step after the provider's sign-in: nothing is connected before it. No button has the focus, so that a held key decides nothing.
 */
export function confirmStepView(places: Places, { token, teamName, connector, consent, formKey }: ConfirmState): View {
  const { name, slug } = connector;
  const title = `Connect this account to ${teamName}?`;
  return {
    title,
    closeToken: token,
    body: [
      providerHead(places.logoFor(slug), title, `You have signed in at ${name}.`),
      h('p', null, h('strong', null, teamName), ` will read from your ${name} account: ${readsOf(connector.resources)}.`),
      h('p', { class: 'soft' }, `If you did not mean to share your data with ${teamName}, do not connect. Nothing has been shared yet.`),
      h(
        'form',
        { method: 'post', action: `${places.root}/confirm`, 'data-busy': `Connecting to ${name}…` },
        hidden('token', token),
        hidden('consent', consent),
        hidden('key', formKey),
        h('button', { type: 'submit', class: 'button', name: 'decision', value: 'connect' }, `Connect to ${teamName}`),
        statusLine(),
      ),
      h(
        'form',
        { method: 'post', action: `${places.root}/confirm`, class: 'second' },
        hidden('token', token),
        hidden('consent', consent),
        hidden('key', formKey),
        h('button', { type: 'submit', class: 'quiet', name: 'decision', value: 'cancel' }, 'Do not connect'),
      ),
    ],
  };
}
