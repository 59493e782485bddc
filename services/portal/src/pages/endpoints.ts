import { h } from 'preact';
import type { StatisticsBody, WebhookBody } from '@pulsewire/contract';
import { actionForm, saidNotice } from './actions.ts';
import type { PageContext } from './context.ts';
import { readEndpoints } from './deliveries.ts';
import { endpointState } from './home.ts';
import { asCurl, empty, facts, fullTime, input, notice, number, section, table, time } from './parts.ts';
import { verifySamples } from './verify-samples.ts';
import type { View } from './view.ts';

/** All endpoints of the team. */
export async function endpointsPage(context: PageContext): Promise<View> {
  const { frame } = context;
  const { root, now, apiUrl } = frame;
  const endpoints = [...(await readEndpoints(context)).values()];
  return {
    title: 'Endpoints',
    section: 'endpoints',
    body: [
      h('h1', null, 'Endpoints'),
      endpoints.length === 0
        ? empty('No endpoint yet. Create the first one with POST /v2/team/webhook; every change is then sent to it.')
        : table(
            'Endpoints',
            ['Address', 'State', 'Event types', 'Order', 'Created'],
            endpoints.map((one) => [
              h('a', { href: `${root}/endpoints/${one.id}`, class: 'name' }, one.url),
              endpointState(one),
              one.filter_types?.length ? `${one.filter_types.length} types` : 'all',
              one.ordering === 'per_user' ? 'per user' : 'none',
              time(one.created_at, now),
            ]),
          ),
      asCurl(apiUrl, ['/v2/team/webhook']),
    ],
  };
}

const percent = (share: number | null) => (share === null ? 'no attempt' : `${Math.round(share * 1000) / 10} %`);
const ms = (value: number | null) => (value === null ? '–' : `${number(Math.round(value))} ms`);

function trouble(endpoint: WebhookBody, { last_error: error }: StatisticsBody) {
  const { disabled, disabled_reason: reason, disabled_at: at, failing_since: failing } = endpoint;
  const last = error === null ? '' : ` The last error: ${error.text}`;
  if (disabled)
    return notice('warn', `Disabled${reason ? `: ${reason}` : ''}`, ['Nothing is sent', at ? [' since ', fullTime(at)] : null, `.${last}`]);
  return failing ? notice('bad', 'Failing', ['No delivery succeeded since ', fullTime(failing), `.${last}`]) : null;
}

/** What happens to a resource: the last parts of its types. */
function actionsOf(types: readonly string[]): string {
  const actions = types.map((type) => type.split('.').at(-1) ?? '');
  return actions.toSorted((a, b) => a.localeCompare(b, 'en')).join(', ');
}

/** Event types as a tree: the resource, then what happens to it. */
function typeTree(types: readonly string[] | null | undefined) {
  if (!types?.length) return h('p', null, 'All types, except operational ones.');
  const groups = Map.groupBy(types, (type) => type.split('.').slice(0, -1).join('.'));
  return h(
    'ul',
    { class: 'tree' },
    ...[...groups]
      .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([name, list]) => h('li', null, h('code', null, name), ' ', actionsOf(list))),
  );
}

function endpointActions(context: PageContext, { id, url, disabled, filter_types: types }: WebhookBody) {
  const { host } = new URL(url);
  const path = `/endpoints/${id}`;
  const api = `/v2/team/webhook/${id}`;
  const day = new Date(context.frame.now.getTime() - 86_400_000).toISOString().slice(0, 10);
  const type = types?.[0] ?? 'daily.data.sleep.created';
  const test = {
    path: `${path}/test`,
    scope: 'webhooks',
    text: 'Send a test event',
    curl: ['POST', `${api}/test`, { event_type: type }],
  } as const;
  const recover = { path: `${path}/recover`, scope: 'webhooks', text: 'Send failed messages again' } as const;
  const turn = disabled
    ? actionForm(context, { path: `${path}/enable`, scope: 'webhooks', text: 'Enable', curl: ['PATCH', api, { disabled: false }] })
    : actionForm(context, {
        path: `${path}/disable`,
        scope: 'webhooks',
        text: 'Pause',
        typed: host,
        curl: ['PATCH', api, { disabled: true }],
      });
  return [
    actionForm(context, { ...test, fields: input('event_type', 'Event type', { type: 'text', value: type, required: true }) }),
    actionForm(context, {
      ...recover,
      fields: input('since', 'That failed since', { type: 'date', value: day, required: true }),
      curl: ['POST', `${api}/recover`, { since: `${day}T00:00:00Z` }],
    }),
    turn,
    actionForm(context, {
      path: `${path}/rotate`,
      scope: 'secrets',
      text: 'Replace the secret',
      typed: host,
      curl: ['POST', `${api}/secret/rotate`, {}],
    }),
  ];
}

/** One endpoint: how its deliveries went, what it receives, and the code that verifies them. */
export async function endpointPage(context: PageContext): Promise<View> {
  const { api, frame } = context;
  const { root, apiUrl } = frame;
  const path = `/v2/team/webhook/${encodeURIComponent(context.param('endpointId'))}`;
  const [endpoint, statistics] = await Promise.all([api.get<WebhookBody>(path), api.get<StatisticsBody>(`${path}/statistics`)]);
  const list = (status: string) => `${root}/deliveries?status=${status}&endpoint=${endpoint.id}`;
  return {
    title: endpoint.url,
    section: 'endpoints',
    body: [
      h('p', { class: 'crumb' }, h('a', { href: `${root}/endpoints` }, 'Endpoints')),
      h('h1', { class: 'long' }, endpoint.url),
      saidNotice(context),
      h('p', null, endpointState(endpoint), endpoint.description ? ` ${endpoint.description}` : null),
      trouble(endpoint, statistics),
      section(
        'Last 24 hours',
        facts([
          ['Delivered', percent(statistics.success_rate)],
          ['Attempts', number(statistics.attempts)],
          ['Failed attempts', h('a', { href: list('failed') }, number(statistics.failed))],
          ['Waiting', h('a', { href: list('waiting') }, number(statistics.waiting))],
          ['Oldest waiting', fullTime(statistics.oldest_undelivered_at)],
          ['Half take at most', ms(statistics.duration_p50_ms)],
          ['99 of 100 take at most', ms(statistics.duration_p99_ms)],
        ]),
      ),
      section(
        'Settings',
        facts([
          ['Id', h('code', null, endpoint.id)],
          ['Order', endpoint.ordering === 'per_user' ? 'per user: a failed message delays later ones of the same user' : 'none'],
          ['Signature', endpoint.signature ?? 'v1'],
          ['Retries', endpoint.schedule ? `after ${endpoint.schedule.join(', ')} seconds` : 'ten attempts within about 76 hours'],
          ['Rate limit', endpoint.rate_limit ? `${endpoint.rate_limit} messages a second` : 'none'],
          ['Created', fullTime(endpoint.created_at)],
        ]),
      ),
      section('Actions', ...endpointActions(context, endpoint)),
      section('Event types', typeTree(endpoint.filter_types)),
      section('Verify what arrives', verifySamples(apiUrl, endpoint.id)),
      asCurl(apiUrl, [path, `${path}/statistics`]),
    ],
  };
}
