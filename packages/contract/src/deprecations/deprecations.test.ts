import { expect, test } from 'vitest';
import { activeDeprecations, applyDeprecations, deprecations } from './deprecations.ts';
import type { OutgoingEvent, TransformContext } from './types.ts';

const context: TransformContext = {
  findProvider: (slug) => (slug === 'oura' ? { name: 'Oura', logo: 'https://assets.example/oura.png', sourceId: 7 } : undefined),
};
const source = { provider: 'oura', type: 'ring', app_id: null };
const eventId = '019b8f00-0000-7000-8000-0000000000e1';

function apply(contractDate: string, eventType: string, data: OutgoingEvent['data']) {
  return applyDeprecations({ eventId, eventType, data }, activeDeprecations(contractDate), context);
}

test('restores nothing for a team with the current contract date', () => {
  expect(activeDeprecations('2026-11-21')).toEqual([]);
});

test('applies dated changes by the contract date of the team, to the day', () => {
  const ids = (date: string) => activeDeprecations(date).map(({ id }) => id);
  expect(ids('2024-06-29')).toEqual(['hypnogram', 'is_final', 'source_name_logo_slug', 'connection_source']);
  expect(ids('2024-06-30')).toEqual(['hypnogram', 'source_name_logo_slug', 'connection_source']);
  expect(ids('2024-07-31')).toEqual(['hypnogram']);
  expect(ids('2025-01-31')).toEqual([]);
});

test('changes no event for deprecations that are only announced', () => {
  const announced = deprecations.filter(({ removedOn }) => removedOn === null);
  expect(announced).toHaveLength(8);
  expect(announced.every(({ transform, announcedOn }) => transform === null && announcedOn !== null)).toBe(true);
});

test('restores is_final only on completed historical pulls', () => {
  expect(apply('2024-06-01', 'historical.data.steps.created', { provider: 'oura' })[0]?.data).toEqual({ provider: 'oura', is_final: true });
  expect(apply('2024-06-01', 'daily.data.steps.created', { data: [] })[0]?.data).toEqual({ data: [] });
});

test('restores name, slug and logo in the source, empty for a provider outside the catalogue', () => {
  const [event] = apply('2024-07-01', 'daily.data.steps.created', { source, data: [] });
  expect(event?.data['source']).toEqual({ ...source, name: 'Oura', slug: 'oura', logo: 'https://assets.example/oura.png' });
  const [unknown] = apply('2024-07-01', 'daily.data.steps.created', { source: { provider: 'new' } });
  expect(unknown?.data['source']).toEqual({ provider: 'new', name: '', slug: 'new', logo: '' });
});

test('repeats the provider of provider.connection.created as source', () => {
  const provider = { name: 'Oura', slug: 'oura', logo: 'https://assets.example/oura.png' };
  const [event] = apply('2024-07-01', 'provider.connection.created', { provider });
  expect(event?.data).toEqual({ provider, source: provider });
});

const cycle = {
  user_id: 'u',
  source,
  source_provider: 'oura',
  session_start: '2026-03-28T23:30:00+00:00',
  stage_start_offset_second: [0, 600, 7200],
  stage_end_offset_second: [600, 7200, 7500],
  stage_type: [4, 2, -1],
  time_zone: 'Europe/Berlin',
};

test('derives from a sleep cycle the hypnogram event with its stages as intervals', () => {
  const [first, second, ...rest] = apply('2025-01-01', 'daily.data.sleep_cycle.updated', cycle);
  expect(rest).toEqual([]);
  expect(first).toEqual({ eventId, eventType: 'daily.data.sleep_cycle.updated', data: cycle });
  expect(second?.eventType).toBe('daily.timeseries.hypnogram.updated');
  expect(second?.data).toMatchObject({ user_id: 'u', source_id: 7, source });
  const times = { timestamp: '2026-03-28T23:30:00+00:00', start: '2026-03-28T23:30:00+00:00', end: '2026-03-28T23:40:00+00:00' };
  expect(second?.data['data']).toMatchObject([
    { id: null, ...times, timezone_offset: 3600, type: null, unit: 'stage', value: 4 },
    { value: 2 },
    // The clocks went forward in between.
    { value: -1, timezone_offset: 7200, start: '2026-03-29T01:30:00+00:00' },
  ]);
});

test('derives the same event id for every delivery', () => {
  const ids = () => apply('2025-01-01', 'daily.data.sleep_cycle.created', cycle).map((event) => event.eventId);
  expect(ids()).toEqual(ids());
  expect(new Set(ids()).size).toBe(2);
});

test('derives the hypnogram event of a completed pull of sleep cycles, with is_final if it applies', () => {
  const data = { user_id: 'u', provider: 'oura' };
  expect(apply('2024-06-01', 'historical.data.sleep_cycle.created', data)).toMatchObject([
    { eventType: 'historical.data.sleep_cycle.created', data: { ...data, is_final: true } },
    { eventType: 'historical.timeseries.hypnogram.created', data: { ...data, is_final: true } },
  ]);
});

test('derives no wrong event from a sleep cycle without stages or without a known zone', () => {
  expect(apply('2025-01-01', 'daily.data.sleep_cycle.created', { ...cycle, stage_type: [] })).toHaveLength(1);
  for (const time_zone of [null, 'Mars/Olympus']) {
    const [, event] = apply('2025-01-01', 'daily.data.sleep_cycle.created', { ...cycle, time_zone });
    expect(event?.data['data']).toMatchObject([{ timezone_offset: null }, { timezone_offset: null }, { timezone_offset: null }]);
  }
});

test('does not modify the original event', () => {
  const data = Object.freeze({ ...cycle, source: Object.freeze({ ...source }) });
  apply('2024-01-01', 'daily.data.sleep_cycle.created', data);
  expect(data).toEqual(cycle);
});
