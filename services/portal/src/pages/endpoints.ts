import { h } from 'preact';
import type { StatisticsBody, WebhookBody } from '@pulsewire/contract';
import type { PageContext } from './context.ts';
import { readEndpoints } from './deliveries.ts';
import { endpointState } from './home.ts';
import { asCurl, empty, facts, fullTime, notice, number, section, table, time } from './parts.ts';
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
      section('Event types', typeTree(endpoint.filter_types)),
      section('Verify what arrives', verifySamples(apiUrl, endpoint.id)),
      asCurl(apiUrl, [path, `${path}/statistics`]),
    ],
  };
}
