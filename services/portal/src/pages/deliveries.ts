import { h } from 'preact';
import type { MessageBody, WebhookBody } from '@pulsewire/contract';
import { urlOf } from '../api/caller.ts';
import type { PageContext } from './context.ts';
import { asCurl, choose, empty, input, pager, statusOf, table, time } from './parts.ts';
import type { View } from './view.ts';

interface MessagePage {
  readonly data: readonly MessageBody[];
  readonly next_cursor: string | null;
}

const statuses = [
  { value: '', text: 'Any' },
  { value: 'failed', text: 'Failed' },
  { value: 'waiting', text: 'Waiting' },
  { value: 'succeeded', text: 'Delivered' },
];
const pageSize = 50;

/** The endpoints of the team by id, for names in lists. */
export async function readEndpoints({ api }: PageContext): Promise<ReadonlyMap<string, WebhookBody>> {
  const { data } = await api.get<{ readonly data: readonly WebhookBody[] }>('/v2/team/webhook', { limit: 250 });
  return new Map(data.map((one) => [one.id, one]));
}

export function endpointName(endpoints: ReadonlyMap<string, WebhookBody>, id: string): string {
  const found = endpoints.get(id);
  return found === undefined ? `deleted endpoint ${id.slice(0, 8)}` : new URL(found.url).host;
}

function deliveriesOf({ deliveries }: MessageBody, endpoints: ReadonlyMap<string, WebhookBody>, { root, now }: PageContext['frame']) {
  if (deliveries.length === 0) return h('span', { class: 'soft' }, 'sent to no endpoint');
  return h(
    'ul',
    { class: 'plain' },
    ...deliveries.map((one) =>
      h(
        'li',
        null,
        h('a', { href: `${root}/endpoints/${one.webhook_id}` }, endpointName(endpoints, one.webhook_id)),
        ' ',
        statusOf(one.status),
        h('span', { class: 'soft small' }, one.attempts === 1 ? ' 1 attempt' : ` ${one.attempts} attempts`),
        one.next_attempt_at ? [', next ', time(one.next_attempt_at, now)] : null,
      ),
    ),
  );
}

/** Every message of the team, or those that failed or wait, with their deliveries. */
export async function deliveriesPage(context: PageContext): Promise<View> {
  const { api, frame, query } = context;
  const { root, now, apiUrl } = frame;
  const filters = { status: query('status'), endpoint: query('endpoint'), type: query('type'), user: query('user') };
  const asked = { status: filters.status, webhook_id: filters.endpoint, event_type: filters.type, user_id: filters.user, limit: pageSize };
  const [page, endpoints] = await Promise.all([
    api.get<MessagePage>('/v2/team/message', { ...asked, next_cursor: query('cursor') }),
    readEndpoints(context),
  ]);
  const next = page.next_cursor === null ? null : urlOf(`${root}/deliveries`, { ...filters, cursor: page.next_cursor });
  const none = { failed: 'Nothing failed.', waiting: 'Nothing waits.' }[filters.status ?? ''] ?? 'No message matches.';
  return {
    title: 'Deliveries',
    section: 'deliveries',
    body: [
      h('h1', null, 'Deliveries'),
      h(
        'form',
        { method: 'get', action: `${root}/deliveries`, class: 'filters', role: 'search' },
        choose('status', 'State', filters.status ?? '', statuses),
        choose('endpoint', 'Endpoint', filters.endpoint ?? '', [
          { value: '', text: 'All' },
          ...[...endpoints.values()].map(({ id, url }) => ({ value: id, text: url.length > 60 ? `${url.slice(0, 60)}…` : url })),
        ]),
        input('type', 'Event type', {
          type: 'text',
          value: filters.type ?? '',
          placeholder: 'daily.data.sleep.created',
          autocomplete: 'off',
        }),
        input('user', 'User id', { type: 'text', value: filters.user ?? '', autocomplete: 'off' }),
        h('button', { type: 'submit', class: 'button' }, 'Show'),
      ),
      page.data.length === 0
        ? empty(next === null ? none : 'None on this page; the search continues on the next one.')
        : table(
            'Messages',
            ['Event', 'User', 'Created', 'Deliveries'],
            page.data.map((one) => [
              h('a', { href: `${root}/deliveries/${one.message_id}` }, one.event_type),
              one.user_id ? h('a', { href: `${root}/users/${one.user_id}` }, one.user_id.slice(0, 8)) : '–',
              time(one.created_at, now),
              deliveriesOf(one, endpoints, frame),
            ]),
          ),
      pager(next),
      asCurl(apiUrl, [urlOf('/v2/team/message', asked)]),
    ],
  };
}
