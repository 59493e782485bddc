import { h } from 'preact';
import { stageSamples, type UserBody } from '@pulsewire/contract';
import { drawCurve } from '../charts/curve.ts';
import { hourLabels } from '../charts/frame.ts';
import { drawHypnogram, duration, stageRows, stageSeconds, type StageSpan } from '../charts/hypnogram.ts';
import { clockTime, dayBeside } from '../charts/local-day.ts';
import type { PageContext } from './context.ts';
import { readCurves } from './day-curves.ts';
import { asCurl, empty, facts, input, section } from './parts.ts';
import { revealForm } from './reveal.ts';
import type { View } from './view.ts';

interface Sleep {
  readonly id: string;
  readonly bedtime_start: string;
  readonly bedtime_stop: string;
  readonly source?: { readonly provider?: string; readonly type?: string };
}

interface Cycle {
  readonly sleep_id: string;
  readonly session_start: string;
  readonly session_end: string;
}

const hourMs = 3_600_000;
const nightsMax = 12;
/** Series below the stages, on the same axis. */
const alongside = ['heartrate', 'hrv', 'respiratory_rate'];

const spansOf = (cycle: Cycle): readonly StageSpan[] =>
  stageSamples({ ...cycle }).map(({ ts, end, value }) => ({ fromMs: ts, toMs: end ?? ts, stage: value ?? -1 }));

async function nightOf(context: PageContext, userId: string, zone: string, sleep: Sleep, cycle: Cycle | undefined) {
  const spans = cycle === undefined ? [] : spansOf(cycle);
  const bounds = { fromMs: Date.parse(sleep.bedtime_start), toMs: Date.parse(sleep.bedtime_stop) };
  const hours = (bounds.toMs - bounds.fromMs) / hourMs > 6 ? 2 : 1;
  const curves = (await Promise.all(alongside.map((name) => readCurves(context, { userId, zone, bounds }, name)))).flat();
  const source = `${sleep.source?.provider ?? 'unknown source'} ${sleep.source?.type ?? ''}`.trim();
  return section(
    `${clockTime(bounds.fromMs, zone)} to ${clockTime(bounds.toMs, zone)}, ${source}`,
    spans.length === 0 ? empty('This source sends no stages.') : null,
    h(
      'div',
      { class: 'curves', 'data-from': bounds.fromMs, 'data-to': bounds.toMs, 'data-zone': zone, 'data-bucket': 300 },
      spans.length === 0 ? null : drawHypnogram(spans, bounds, zone),
      ...curves.filter(({ points }) => points.length > 0).map((curve) => drawCurve(curve, bounds, zone)),
      hourLabels(bounds, zone, hours),
    ),
    facts([
      ['In bed', duration((bounds.toMs - bounds.fromMs) / 1000)],
      ...stageRows.map(({ stage, name }): [string, string] => [name, duration(stageSeconds(spans, stage))]),
    ]),
  );
}

async function readNights(context: PageContext, userId: string, zone: string, day: string) {
  const { api } = context;
  const [{ sleep: sleeps }, { sleep_cycle: cycles }] = await Promise.all([
    api.get<{ readonly sleep: readonly Sleep[] }>(`/v2/summary/sleep/${userId}`, { start_date: day, end_date: day }),
    // By the start of the session, which may be two days before in UTC.
    api.get<{ readonly sleep_cycle: readonly Cycle[] }>(`/v2/summary/sleep_cycle/${userId}`, {
      start_date: dayBeside(day, -2),
      end_date: dayBeside(day, 1),
    }),
  ]);
  return Promise.all(
    sleeps.slice(0, nightsMax).map((sleep) =>
      nightOf(
        context,
        userId,
        zone,
        sleep,
        cycles.find((one) => one.sleep_id === sleep.id),
      ),
    ),
  );
}

/** The sleeps that end on a day: their stages, with the series of the night below on the same axis. */
export async function nightPage(context: PageContext): Promise<View> {
  const { api, frame, query } = context;
  const { root, now, apiUrl } = frame;
  const user = await api.get<UserBody>(`/v2/user/${encodeURIComponent(context.param('userId'))}`);
  const day = query('day') ?? now.toISOString().slice(0, 10);
  const zone = user.fallback_time_zone?.id ?? 'UTC';
  const userId = user.user_id;
  const path = `/v2/summary/sleep/${userId}?start_date=${day}&end_date=${day}`;
  const isRevealed = context.isRevealed(userId);
  const nights = isRevealed ? await readNights(context, userId, zone, day) : [];
  const href = (days: number) => `${root}/users/${userId}/night?day=${dayBeside(day, days)}`;
  return {
    title: `Night of ${day}, ${user.client_user_id}`,
    section: 'users',
    body: [
      h(
        'p',
        { class: 'crumb' },
        h('a', { href: `${root}/users` }, 'Users'),
        ' / ',
        h('a', { href: `${root}/users/${userId}` }, user.client_user_id),
      ),
      h('h1', null, `Night of ${day}`),
      h(
        'p',
        { class: 'soft' },
        `Times are those of ${zone}${user.fallback_time_zone ? '' : ', because the time zone of the user is not known'}.`,
      ),
      h(
        'form',
        { method: 'get', action: `${root}/users/${userId}/night`, class: 'filters' },
        input('day', 'Day on which the sleep ends', { type: 'date', value: day, required: true }),
        h('button', { type: 'submit', class: 'button' }, 'Show'),
      ),
      h(
        'p',
        null,
        h('a', { href: href(-1) }, 'Night before'),
        ' · ',
        h('a', { href: href(1) }, 'Night after'),
        ' · ',
        h('a', { href: `${root}/users/${userId}/day?resource=sleep&day=${day}` }, 'Explain the sleep of this day'),
      ),
      isRevealed ? null : revealForm(context, userId, 'A night consists of health values. They are masked until you ask for them.'),
      isRevealed && nights.length === 0 ? empty('No sleep is stored for this day.') : null,
      ...nights,
      asCurl(apiUrl, [path]),
    ],
  };
}
