import { h } from 'preact';
import type { UserBody, UserProvider } from '@pulsewire/contract';
import { actionForm, saidNotice } from './actions.ts';
import type { PageContext } from './context.ts';
import { asCurl, command, empty, facts, fullTime, input, number, section, state, statusOf, table, time } from './parts.ts';
import { resourceSelect } from './resources.ts';
import type { View } from './view.ts';

interface Statistics {
  readonly last_attempt: { readonly timestamp: string; readonly status: string } | null;
  readonly oldest_data: string | null;
  readonly newest_data: string | null;
  readonly sent_count?: number | null;
}

interface Pulled {
  readonly status: string;
  readonly error_details: string | null;
}

interface OfUser<T> {
  readonly data: readonly { readonly provider: Readonly<Record<string, T>> }[];
}
type Resources = OfUser<Readonly<Record<string, Statistics>>>;
type History = OfUser<{ readonly pulled: Readonly<Record<string, Pulled>>; readonly not_pulled: readonly string[] }>;

function progress({ historical_pull: pull }: UserProvider) {
  if (!pull) return h('span', { class: 'soft' }, 'none');
  const share = pull.windows_total === 0 ? 1 : pull.windows_ended / pull.windows_total;
  const text = `${Math.round(share * 100)} %`;
  return [
    h('progress', { value: pull.windows_ended, max: Math.max(pull.windows_total, 1), 'aria-label': 'History read' }, text),
    ` ${text}`,
    pull.windows_given_up > 0 ? [' ', state('bad', `${pull.windows_given_up} given up`)] : null,
  ];
}

const availabilityOf = (provider: UserProvider) => Object.entries(provider.resource_availability ?? {});

function connectionRow(provider: UserProvider, { frame: { now } }: PageContext) {
  const all = availabilityOf(provider);
  const denied = all.filter(([, { status }]) => status === 'unavailable');
  return [
    h('strong', null, provider.name),
    [statusOf(provider.status), provider.error_details ? h('p', { class: 'small' }, provider.error_details.error_message) : null],
    time(provider.created_on, now),
    progress(provider),
    denied.length === 0 ? `all ${all.length}` : `${all.length - denied.length} of ${all.length}`,
    denied.length === 0 ? h('span', { class: 'soft' }, 'none') : denied.map(([name]) => name.replaceAll('_', ' ')).join(', '),
  ];
}

function resourceRows(resources: Resources, history: History, providers: readonly UserProvider[], { frame }: PageContext, userId: string) {
  const { root, now } = frame;
  const stored = resources.data[0]?.provider ?? {};
  const pulls = history.data[0]?.provider ?? {};
  const slugs = [...new Set([...Object.keys(stored), ...Object.keys(pulls)])].toSorted();
  return slugs.flatMap((slug) => {
    const provider = providers.find((one) => one.slug === slug);
    const denied = new Set(
      provider ? availabilityOf(provider).flatMap(([name, { status }]) => (status === 'unavailable' ? [name] : [])) : [],
    );
    const names = new Set([...Object.keys(stored[slug] ?? {}), ...Object.keys(pulls[slug]?.pulled ?? {}), ...denied]);
    return [...names].toSorted().map((name) => {
      const stats = stored[slug]?.[name];
      const pull = pulls[slug]?.pulled[name];
      const day = (stats?.newest_data ?? now.toISOString()).slice(0, 10);
      return [
        h('a', { href: `${root}/users/${userId}/day?resource=${name}&day=${day}` }, name.replaceAll('_', ' ')),
        provider?.name ?? slug,
        denied.has(name) ? state('bad', 'not permitted') : stats?.newest_data ? time(stats.newest_data, now) : state('none', 'no data'),
        stats?.oldest_data ? fullDay(stats.oldest_data) : '–',
        number(stats?.sent_count ?? 0),
        stats?.last_attempt ? [statusOf(stats.last_attempt.status), ' ', time(stats.last_attempt.timestamp, now)] : '–',
        pull
          ? [statusOf(pull.status), pull.error_details ? h('p', { class: 'small' }, pull.error_details.replaceAll('_', ' ')) : null]
          : '–',
      ];
    });
  });
}

const fullDay = (text: string) => (Date.parse(text) === 0 ? '–' : h('time', { datetime: text }, text.slice(0, 10)));

/** The form that leads to the explanation of a day. */
export function dayForm(root: string, userId: string, resource: string, day: string) {
  return h(
    'form',
    { method: 'get', action: `${root}/users/${userId}/day`, class: 'filters' },
    resourceSelect(resource),
    input('day', 'Day', { type: 'date', value: day, required: true }),
    h('button', { type: 'submit', class: 'button' }, 'Explain'),
  );
}

/** One user: the connections, what was read and stored of each resource, and the way to any day. */
export async function userPage(context: PageContext): Promise<View> {
  const { api, frame } = context;
  const userId = context.param('userId');
  const user = await api.get<UserBody>(`/v2/user/${encodeURIComponent(userId)}`);
  const [{ providers }, resources, history] = await Promise.all([
    api.get<{ readonly providers: readonly UserProvider[] }>(`/v2/user/providers/${user.user_id}`),
    api.get<Resources>('/v2/introspect/resources', { user_id: user.user_id }),
    api.get<History>('/v2/introspect/historical_pull', { user_id: user.user_id }),
  ]);
  const { root, now, apiUrl } = frame;
  const rows = resourceRows(resources, history, providers, context, user.user_id);
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
  return {
    title: user.client_user_id,
    section: 'users',
    body: [
      h('p', { class: 'crumb' }, h('a', { href: `${root}/users` }, 'Users')),
      h('h1', null, user.client_user_id),
      saidNotice(context),
      facts([
        ['User id', h('code', null, user.user_id)],
        ['Created', fullTime(user.created_on)],
        ['Time zone', user.fallback_time_zone?.id ?? 'not known'],
        ['Read from', user.ingestion_start ?? 'the beginning'],
        ['Read until', user.ingestion_end ?? 'today'],
      ]),
      section(
        'Connections',
        providers.length === 0
          ? empty('Not connected. Create a link token and send the person its address.')
          : table(
              'Connections',
              ['Provider', 'State', 'Connected', 'History read', 'Permitted', 'Not permitted'],
              providers.map((provider) => connectionRow(provider, context)),
            ),
      ),
      section(
        'Actions',
        actionForm(context, {
          path: `/users/${user.user_id}/refresh`,
          scope: 'write',
          text: 'Read at the providers now',
          curl: ['POST', `/v2/user/refresh/${user.user_id}`],
        }),
        h('p', null, 'Create a link on which the person connects a provider, or connects again:'),
        command(
          `curl -s -H "x-service-api-key: $API_KEY" -H "content-type: application/json" "${apiUrl}/v2/link/token" -d '{"user_id":"${user.user_id}"}'`,
        ),
      ),
      section('Why does a day have data, or none?', dayForm(root, user.user_id, 'sleep', yesterday)),
      section(
        'Data',
        rows.length === 0
          ? empty('Nothing was requested or stored yet.')
          : table('Data by resource', ['Resource', 'Provider', 'Newest', 'Oldest', 'Objects', 'Last pull', 'History'], rows),
      ),
      h('p', null, h('a', { href: `${root}/deliveries?user=${user.user_id}` }, 'Deliveries of this user')),
      asCurl(apiUrl, [`/v2/user/providers/${user.user_id}`, `/v2/introspect/resources?user_id=${user.user_id}`]),
    ],
  };
}
