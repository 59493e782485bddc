import { h, type ComponentChildren } from 'preact';
import type { PageContext } from './context.ts';
import { command, notice } from './parts.ts';
import { hasScope } from './view.ts';

/** What a page says after an action; its address has only the code. */
const said: Readonly<Record<string, string>> = {
  queued: 'The message is sent again now.',
  held: 'The message waits for earlier messages of its user, because the endpoint is ordered.',
  under_way: 'The message is being sent at this moment; nothing was added.',
  recovering: 'The failed messages are sent again; the list of waiting ones shows how many are left.',
  disabled: 'The endpoint is paused: nothing is sent to it until it is enabled.',
  enabled: 'The endpoint is enabled. What it missed is not sent by itself: send the failed messages again below.',
  rotated: 'The secret was replaced. Messages are signed with the old and the new one for 24 hours.',
  refreshed: 'The user was read at the providers.',
  refreshing: 'The user is being read at the providers; look again in a minute.',
  partly: 'Some providers could not be read. The connections below say why.',
  created: 'The user was created. Create a link so that the person can connect a provider.',
  'not-typed': 'Nothing was done: the name was not typed as it is shown.',
};

/** The outcome of the action that led to this page; null when there was none. */
export function saidNotice({ query }: PageContext) {
  const text = said[query('said') ?? ''];
  return text === undefined ? null : h('div', { role: 'status' }, notice(query('said') === 'not-typed' ? 'warn' : 'good', text, ''));
}

export interface ActionForm {
  /** Below the path of the portal. */
  readonly path: string;
  readonly scope: string;
  readonly text: string;
  readonly fields?: ComponentChildren;
  /** To be typed first, because the action cannot be taken back. */
  readonly typed?: string;
  /** The same by hand: method, path and body of the API. */
  readonly curl: readonly [method: string, url: string, body?: object];
}

function typedField(name: string, path: string) {
  const id = `typed${path.replaceAll(/[^a-z]+/g, '-')}`;
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, 'Type ', h('code', null, name), ' to confirm'),
    h('input', { id, name: 'typed', type: 'text', required: true, autocomplete: 'off', spellcheck: false }),
  );
}

/** A button that changes something, with the request that it sends. A key without the scope sees which one it lacks. */
export function actionForm({ frame, viewer }: PageContext, { path, scope, text, fields, typed, curl }: ActionForm) {
  if (!hasScope(viewer, scope)) return h('p', { class: 'soft small' }, `${text}: needs a key with the scope ${scope}.`);
  const [method, url, body] = curl;
  const data = body === undefined ? '' : ` -H "content-type: application/json" -d '${JSON.stringify(body)}'`;
  return h(
    'div',
    { class: 'action' },
    h(
      'form',
      { method: 'post', action: `${frame.root}${path}`, class: 'filters' },
      h('input', { type: 'hidden', name: 'form_token', value: frame.formToken }),
      fields,
      typed === undefined ? null : typedField(typed, path),
      h('button', { type: 'submit', class: 'button quiet' }, text),
    ),
    h(
      'details',
      { class: 'curl' },
      h('summary', null, `Copy “${text}” as curl`),
      command(`curl -s -X ${method} -H "x-service-api-key: $API_KEY"${data} "${frame.apiUrl}${url}"`),
    ),
  );
}
