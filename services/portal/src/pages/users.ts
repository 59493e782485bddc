import { h } from 'preact';
import type { UserBody } from '@pulsewire/contract';
import { urlOf } from '../api/caller.ts';
import { actionForm } from './actions.ts';
import type { PageContext } from './context.ts';
import { asCurl, choose, empty, input, number, pager, section, state, statusOf, table, time } from './parts.ts';
import type { View } from './view.ts';

interface UserPage {
  readonly users: readonly UserBody[];
  readonly total: number;
  readonly next_cursor?: string | null;
}

type Source = UserBody['connected_sources'][number];

const statuses = [
  { value: '', text: 'Any' },
  { value: 'connected', text: 'Connected' },
  { value: 'error', text: 'Broken' },
  { value: 'paused', text: 'Paused' },
  { value: 'none', text: 'Without a connection' },
];
const pageSize = 50;

function newest(sources: readonly Source[]): string | null {
  const times = sources.map((one) => one.last_data_at).filter((one) => typeof one === 'string');
  return times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
}

function connections(sources: readonly Source[]) {
  if (sources.length === 0) return h('span', { class: 'soft' }, 'none');
  return h('ul', { class: 'plain' }, ...sources.map((one) => h('li', null, `${one.provider.name} `, statusOf(one.status ?? 'connected'))));
}

function row(user: UserBody, { frame: { root, now } }: PageContext) {
  const broken = user.connected_sources.find((one) => one.error_details);
  return [
    h('a', { href: `${root}/users/${user.user_id}`, class: 'name' }, user.client_user_id),
    connections(user.connected_sources),
    time(newest(user.connected_sources), now),
    broken?.error_details ? [state('bad', broken.error_details.error_type.replaceAll('_', ' '))] : h('span', { class: 'soft' }, '–'),
    time(user.created_on, now),
  ];
}

/** Who is connected, and who has a problem. The filters are in the address, so that a list can be passed on. */
export async function usersPage(context: PageContext): Promise<View> {
  const { api, frame, query } = context;
  const { root, apiUrl } = frame;
  const filters = { status: query('status'), provider: query('provider'), query: query('query'), silent: query('silent') };
  const asked = {
    status: filters.status,
    provider: filters.provider,
    query: filters.query,
    no_data_since: filters.silent && `${filters.silent}T00:00:00Z`,
    limit: pageSize,
  };
  const page = await api.get<UserPage>('/v2/user', { ...asked, next_cursor: query('cursor') });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const next = page.next_cursor ? urlOf(`${root}/users`, { ...filters, cursor: page.next_cursor }) : null;
  const count = filters.silent === undefined ? `${number(page.total)} ${page.total === 1 ? 'user' : 'users'}` : 'Users without newer data';
  return {
    title: 'Users',
    section: 'users',
    body: [
      h('h1', null, 'Users'),
      h(
        'form',
        { method: 'get', action: `${root}/users`, class: 'filters', role: 'search' },
        input('query', 'Id or reference', { type: 'search', value: filters.query ?? '', placeholder: 'starts with', autocomplete: 'off' }),
        input('provider', 'Provider', { type: 'text', value: filters.provider ?? '', placeholder: 'oura', autocomplete: 'off' }),
        choose('status', 'Connection', filters.status ?? '', statuses),
        input('silent', 'No data since', { type: 'date', value: filters.silent ?? '' }),
        h('button', { type: 'submit', class: 'button' }, 'Show'),
      ),
      h('p', { class: 'soft', role: 'status' }, count),
      page.users.length === 0
        ? empty(
            isFiltered
              ? next
                ? 'None on this page; the search continues on the next one.'
                : 'No user matches.'
              : 'No user yet. Create the first one below.',
            isFiltered ? h('p', null, h('a', { href: `${root}/users` }, 'Show all users')) : null,
          )
        : table(
            'Users',
            ['Reference', 'Connections', 'Newest data', 'Problem', 'Created'],
            page.users.map((user) => row(user, context)),
          ),
      pager(next),
      section(
        'Create a user',
        actionForm(context, {
          path: '/users/create',
          scope: 'write',
          text: 'Create',
          fields: input('client_user_id', 'Your reference', { type: 'text', required: true, autocomplete: 'off' }),
          curl: ['POST', '/v2/user', { client_user_id: 'alice' }],
        }),
      ),
      asCurl(apiUrl, [urlOf('/v2/user', asked)]),
    ],
  };
}
