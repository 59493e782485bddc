import { h } from 'preact';
import { resources, type ExplainBody, type UserBody } from '@pulsewire/contract';
import type { PageContext } from './context.ts';
import { asCurl, empty, fullTime, notice, number, section, state, statusOf, table, time, type Tone } from './parts.ts';
import { urlOf } from '../api/caller.ts';
import { dayBeside, dayBounds } from '../charts/local-day.ts';
import { dayCurves } from './day-curves.ts';
import { dayForm } from './user.ts';
import type { View } from './view.ts';

const tones: Readonly<Record<string, Tone>> = {
  stored: 'good',
  pending: 'warn',
  provider_had_nothing: 'none',
  outside_bounds: 'none',
  not_requested: 'none',
  not_supplied: 'none',
  removed: 'none',
};

const withheld: Readonly<Record<string, string>> = {
  not_subscribed: 'not subscribed to this type',
  history_not_pushed: 'history is not pushed',
  disabled: 'endpoint disabled',
  created_later: 'endpoint created later',
  not_recorded: 'not sent yet, or longer ago than attempts are kept',
};

type Event = ExplainBody['events'][number];

function connectionRows({ connections }: ExplainBody, now: Date) {
  return connections.map((one) => [
    h('strong', null, one.provider),
    [statusOf(one.status), one.error ? h('p', { class: 'small' }, one.error.message) : null],
    one.availability === null
      ? 'does not supply it'
      : [
          one.availability.status === 'available' ? state('good', 'permitted') : state('bad', 'not permitted'),
          one.availability.denied_scopes.length > 0
            ? h('p', { class: 'small' }, `denied: ${one.availability.denied_scopes.join(', ')}`)
            : null,
        ],
    one.stopped_at ? ['stopped ', time(one.stopped_at, now)] : time(one.next_pull_at, now),
  ]);
}

function requestRows({ requests }: ExplainBody) {
  return requests.map((one) => [
    one.pull,
    one.reason === 'backfill' ? 'history' : 'live',
    one.start_date === one.end_date ? one.start_date : `${one.start_date} to ${one.end_date}`,
    [statusOf(one.state), one.error_code ? h('p', { class: 'small' }, h('code', null, one.error_code)) : null],
    fullTime(one.ended_at ?? one.started_at ?? one.requested_at),
    `${number(one.samples)} samples, ${number(one.summaries)} summaries${one.set_aside > 0 ? `, ${number(one.set_aside)} set aside` : ''}`,
  ]);
}

function responseRows({ responses }: ExplainBody) {
  return responses.map((one) => [
    fullTime(one.received_at),
    one.place === null ? 'kept, but cannot be opened' : h('code', null, one.place),
    one.status === null
      ? '–'
      : one.error_code
        ? [state('bad', String(one.status)), ' ', one.error_code]
        : state('good', String(one.status)),
    one.bytes === null ? '–' : `${number(one.bytes)} bytes`,
    one.version ?? '–',
  ]);
}

function storedRows({ stored }: ExplainBody) {
  return stored.map((one) => [
    one.kind === 'samples' ? `${number(one.count ?? 0)} samples` : one.kind,
    `${one.provider} ${one.source_type}`,
    one.first_at ? [fullTime(one.first_at), ' to ', fullTime(one.last_at)] : '–',
    one.version,
    fullTime(one.updated_at),
  ]);
}

function deliveriesOf({ deliveries }: Event, root: string) {
  if (deliveries.length === 0) return 'the team has no endpoint';
  return h(
    'ul',
    { class: 'plain' },
    ...deliveries.map((one) => {
      const last = one.attempts.at(-1);
      const endpoint = h('a', { href: `${root}/endpoints/${one.webhook_id}` }, one.webhook_id.slice(0, 8));
      if (last === undefined)
        return h(
          'li',
          null,
          endpoint,
          ' ',
          one.withheld ? (withheld[one.withheld] ?? one.withheld) : ['waits until ', fullTime(one.next_attempt_at)],
        );
      const text = ` ${last.response_status ?? last.error ?? 'no response'}, attempt ${last.attempt}`;
      return h('li', null, endpoint, ' ', statusOf(last.status), text);
    }),
  );
}

function eventRows({ events }: ExplainBody, root: string) {
  return events.map((one) => [
    fullTime(one.created_at),
    h('a', { href: `${root}/deliveries/${one.message_id}` }, one.event_type),
    one.samples === null ? '–' : number(one.samples),
    deliveriesOf(one, root),
  ]);
}

/** The way of a day's data in the order in which it happened. */
export function chainOf(explained: ExplainBody, root: string, now: Date) {
  const step = (title: string, none: string, heads: readonly string[], rows: Parameters<typeof table>[2]) =>
    section(title, rows.length === 0 ? h('p', { class: 'soft' }, none) : table(title, heads, rows));
  return [
    step('1. Connection', 'The user has none.', ['Provider', 'State', 'Permission', 'Next pull'], connectionRows(explained, now)),
    step('2. Request', 'The day was not requested.', ['Pull', 'For', 'Days', 'State', 'At', 'Received'], requestRows(explained)),
    step('3. Response of the provider', 'None is kept.', ['Received', 'Of', 'Status', 'Size', 'Version'], responseRows(explained)),
    explained.set_aside.length === 0
      ? null
      : step(
          'Set aside',
          '',
          ['Reason', 'Place', 'Seen'],
          explained.set_aside.map((one) => [one.reason, h('code', null, one.pointer), `${one.sightings} times`]),
        ),
    step('4. Stored', 'Nothing is stored.', ['What', 'Source', 'From', 'Version', 'Changed'], storedRows(explained)),
    step('5. Events and deliveries', 'There is none in the log.', ['At', 'Event', 'Samples', 'Deliveries'], eventRows(explained, root)),
  ];
}

const series = new Set(resources.flatMap(({ kind, name }) => (kind === 'timeseries' && name !== 'hypnogram' ? [name] : [])));

/** Why the explained series has a gap within the day, as far as the requests tell. */
function gapReason({ requests }: ExplainBody): string | null {
  const states = new Set(requests.map((one) => one.state));
  if (['planned', 'running', 'failed'].some((open) => states.has(open))) return 'A request for this day is still open.';
  if (states.has('given_up')) return 'A request for this day was given up.';
  return states.has('done') ? 'The provider was read and had nothing for these times.' : null;
}

/** One resource of a user on one day: the verdict, and the way from the provider's response to each delivery. */
export async function dayPage(context: PageContext): Promise<View> {
  const { api, frame, query } = context;
  const { root, now, apiUrl } = frame;
  const userId = context.param('userId');
  const user = await api.get<UserBody>(`/v2/user/${encodeURIComponent(userId)}`);
  const resource = query('resource') ?? 'sleep';
  const day = query('day') ?? now.toISOString().slice(0, 10);
  const asked = { user_id: user.user_id, resource, day };
  const explained = await api.get<ExplainBody>('/v2/introspect/explain', asked);
  const zone = user.fallback_time_zone?.id ?? 'UTC';
  const curves = await dayCurves(context, { userId: user.user_id, zone, bounds: dayBounds(day, zone) }, series, (of) =>
    of === resource ? gapReason(explained) : null,
  );
  const beside = (days: number) => urlOf(`${root}/users/${user.user_id}/day`, { resource, day: dayBeside(day, days) });
  const name = resource.replaceAll('_', ' ');
  const { verdict, reason, remedy } = explained;
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)} on ${day}`;
  const sentence = verdict === 'stored' ? reason : `Nothing is stored. ${reason}`;
  return {
    title: `${title}, ${user.client_user_id}`,
    section: 'users',
    body: [
      h(
        'p',
        { class: 'crumb' },
        h('a', { href: `${root}/users` }, 'Users'),
        ' / ',
        h('a', { href: `${root}/users/${user.user_id}` }, user.client_user_id),
      ),
      h('h1', null, title),
      notice(tones[verdict] ?? 'bad', sentence, remedy ?? 'Nothing needs to be done.'),
      dayForm(root, user.user_id, resource, day),
      h(
        'p',
        null,
        h('a', { href: beside(-1) }, 'Day before'),
        ' · ',
        h('a', { href: beside(1) }, 'Day after'),
        ' · ',
        h('a', { href: `${root}/users/${user.user_id}/night?day=${day}` }, 'Night'),
      ),
      h(
        'p',
        { class: 'soft small' },
        'Verdict ',
        h('code', null, verdict),
        `. The curves are on the clock of ${zone}${user.fallback_time_zone ? '' : ', because the time zone of the user is not known'}; times in tables are in UTC.`,
      ),
      curves,
      explained.events_complete ? null : empty('The log holds more events than are listed here.'),
      ...chainOf(explained, root, now),
      asCurl(apiUrl, [urlOf('/v2/introspect/explain', asked)]),
    ],
  };
}
