import { h, type ComponentChildren } from 'preact';
import type { StatisticsBody, WebhookBody } from '@pulsewire/contract';
import type { PageContext } from './context.ts';
import { command, facts, number, section, state, table, time } from './parts.ts';
import { hasScope, type View } from './view.ts';

type Metrics = Readonly<Record<string, number>>;

interface Total {
  readonly total: number;
}

/** Endpoints whose statistics are read for the overview. */
const endpointsMax = 8;

function figure(value: number | null, label: string, href: string, isProblem = false) {
  const text = value === null ? '–' : number(value);
  return h(
    'li',
    { class: isProblem && value !== 0 ? 'figure bad' : 'figure' },
    h('a', { href }, h('strong', null, text), h('span', null, label)),
  );
}

const daysAgo = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();

async function userFigures({ api, frame }: PageContext, metrics: Metrics): Promise<readonly ComponentChildren[]> {
  const { root, now } = frame;
  const count = async (status: string) => (await api.get<Total>('/v2/user', { status, limit: 0 })).total;
  const [broken, paused, none] = await Promise.all([count('error'), count('paused'), count('none')]);
  const stale = daysAgo(now, 3).slice(0, 10);
  return [
    figure(metrics['number_of_users'] ?? 0, 'users', `${root}/users`),
    figure(metrics['number_of_connected_sources'] ?? 0, 'connections', `${root}/users?status=connected`),
    figure(broken, 'users with a broken connection', `${root}/users?status=error`, true),
    figure(paused, 'users with a paused connection', `${root}/users?status=paused`),
    figure(none, 'users without a connection', `${root}/users?status=none`),
    h(
      'li',
      { class: 'figure' },
      h('a', { href: `${root}/users?silent=${stale}` }, h('strong', null, '→'), h('span', null, 'without data for 3 days')),
    ),
  ];
}

interface Watched {
  readonly endpoint: WebhookBody;
  readonly statistics: StatisticsBody | null;
}

async function readEndpoints({ api }: PageContext): Promise<readonly Watched[]> {
  const { data } = await api.get<{ readonly data: readonly WebhookBody[] }>('/v2/team/webhook', { limit: endpointsMax });
  return Promise.all(
    data.map(async (endpoint) => ({ endpoint, statistics: await api.find<StatisticsBody>(`/v2/team/webhook/${endpoint.id}/statistics`) })),
  );
}

export function endpointState({ disabled, failing_since: failing }: WebhookBody) {
  if (disabled) return state('none', 'disabled');
  return failing ? state('bad', 'failing') : state('good', 'enabled');
}

function endpointRows(all: readonly Watched[], { frame: { root, now } }: PageContext) {
  return all.map(({ endpoint, statistics }) => [
    h('a', { href: `${root}/endpoints/${endpoint.id}` }, endpoint.url),
    endpointState(endpoint),
    statistics?.success_rate == null ? '–' : `${Math.round(statistics.success_rate * 1000) / 10} %`,
    statistics === null ? '–' : h('a', { href: `${root}/deliveries?status=waiting&endpoint=${endpoint.id}` }, number(statistics.waiting)),
    time(statistics?.oldest_undelivered_at, now),
  ]);
}

function firstSteps({ frame: { apiUrl } }: PageContext) {
  const call = `curl -s -H "x-service-api-key: $API_KEY" -H "content-type: application/json"`;
  return section(
    'First steps',
    h(
      'ol',
      { class: 'steps' },
      h('li', null, 'Create a user with your own reference.', command(`${call} ${apiUrl}/v2/user -d '{"client_user_id":"alice"}'`)),
      h(
        'li',
        null,
        'Create a link token and open its link_web_url, where the person chooses a provider.',
        command(`${call} ${apiUrl}/v2/link/token -d '{"user_id":"<user_id>"}'`),
      ),
      h(
        'li',
        null,
        'Add an endpoint, to which every change is sent.',
        command(`${call} ${apiUrl}/v2/team/webhook -d '{"url":"https://example.com/hook"}'`),
      ),
    ),
  );
}

/** The state of the whole team on one page; every number leads to the list behind it. */
export async function homePage(context: PageContext): Promise<View> {
  const { api, frame, viewer } = context;
  const { root } = frame;
  const seesWebhooks = hasScope(viewer, 'webhooks');
  const metrics = await api.get<Metrics>('/v2/user/metrics');
  const [figures, endpoints, critical, orders] = await Promise.all([
    userFigures(context, metrics),
    seesWebhooks ? readEndpoints(context) : [],
    api.find<Total>('/v3/orders', { interpretation: 'critical', size: 1 }),
    api.find<Total>('/v3/orders', { size: 1 }),
  ]);
  const isNew = (metrics['number_of_users'] ?? 0) === 0;
  return {
    title: 'Home',
    section: 'home',
    body: [
      h('h1', null, 'Home'),
      section('Users and connections', h('ul', { class: 'figures' }, ...figures)),
      section(
        'Deliveries',
        seesWebhooks
          ? endpoints.length === 0
            ? h('p', { class: 'soft' }, 'There is no endpoint yet, so nothing is sent.')
            : [
                table('Endpoints', ['Endpoint', 'State', 'Delivered, 24 h', 'Waiting', 'Oldest waiting'], endpointRows(endpoints, context)),
                h('p', null, h('a', { href: `${root}/deliveries?status=failed` }, 'All failed deliveries')),
              ]
          : h('p', { class: 'soft' }, 'This key lacks the scope webhooks.'),
      ),
      section(
        'Lab orders',
        facts([
          ['Orders', orders === null ? '–' : number(orders.total)],
          ['With a critical result', critical === null ? '–' : critical.total > 0 ? state('bad', number(critical.total)) : '0'],
        ]),
      ),
      isNew ? firstSteps(context) : null,
    ],
  };
}
