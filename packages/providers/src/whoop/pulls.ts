import type { CompleteRange, Quarantined } from '@pulsewire/contract';
import { pullDefaults, completeDays } from '../kit/pull-presets.ts';
import { isWithin } from '../kit/records/left-out.ts';
import { namesIn, namesOf, samplesBetween, summariesOn, type Stretch } from '../kit/records/complete-ranges.ts';
import { readEach, type JsonNode } from '../kit/values/json-node.ts';
import { readOptional } from '../kit/http/read-optional.ts';
import type { ProviderHttp, PullContext, PulledPage, PullSpec, PullUser, PullWindow, SummaryName } from '../kit/types/connector.ts';
import { cyclesIn, cyclesMax, readCycle, readCycles, type Cycle } from './cycles.ts';
import { mapActivity, mapWorkouts } from './mappers/map-cycle.ts';
import { heartStepSeconds, lastSampleMs, mapHeartrate } from './mappers/map-metrics.ts';
import { mainSleep, mapSleep, readNaps, readSleeps } from './mappers/map-sleep.ts';
import { sleepOfRecovery } from './recovery.ts';
import { createContext, strap, type WhoopContext } from './whoop.ts';

export const historyDays = 180;
/** A day of heart rate is thousands of values. */
const fineHistoryDays = 14;
/** How far a cycle without an end is read. */
const openCycleMs = 48 * 3_600_000;

/**
 * The ranges for which the records of cycles are complete, and every summary that they name, scored or pending. Empty when there
 * may be more cycles than the response contains, and for lists that a record does not have.
 */
function completeIn(list: JsonNode, window: PullWindow, context: WhoopContext): { partOf: CompleteRange[]; named: SummaryName[] } {
  const items = Array.isArray(list.value) ? list.items() : [];
  const hasAll = (key: string) => items.every((item) => Array.isArray(item.at(key).value));
  if (items.length === 0 || items.length >= cyclesMax) return { partOf: [], named: [] };
  const named = items.flatMap((item) => [
    ...namesOf(item.at('cycle').at('id'), strap, context, 'activity'),
    ...namesIn(item.at('sleeps'), 'activity_id', strap, context, 'sleep', 'sleep_cycle'),
    ...namesIn(item.at('workouts'), 'activity_id', strap, context, 'workouts'),
    ...namesIn(item.at('v2_activities'), 'id', strap, context, 'workouts', 'sleep', 'sleep_cycle'),
  ]);
  const partOf = [
    ...summariesOn(window, strap, 'activity'),
    ...(hasAll('sleeps') ? summariesOn(window, strap, 'sleep', 'sleep_cycle') : []),
    ...(hasAll('workouts') ? summariesOn(window, strap, 'workouts') : []),
  ];
  return { partOf, named };
}

async function* pullCycles({ http, user, window }: PullContext): AsyncGenerator<PulledPage> {
  const context = createContext(user);
  const { body, version } = await readCycles(http, user.providerUserId, window);
  const quarantined: Quarantined[] = [];
  const cycles = readEach('activity', cyclesIn(body), quarantined, readCycle);
  const sleeps = cycles.flatMap((cycle) => {
    const listed = readSleeps(cycle, window, quarantined);
    const all = [...listed, ...readNaps(cycle, listed, window, quarantined)];
    const main = mainSleep(listed);
    const recovered = sleepOfRecovery(cycle.record.at('recovery')) ?? main?.id;
    return all
      .filter(({ day }) => isWithin(day, window))
      .map((sleep) => ({ sleep, place: { cycle, isMain: sleep === main, hasRecovery: sleep.id === recovered } }));
  });
  const records = cycles
    .filter(({ day }) => isWithin(day, window))
    .flatMap((cycle) => [...mapActivity(cycle, window, context), ...mapWorkouts(cycle, window, context, quarantined)]);
  yield { records, quarantined, version, ...completeIn(cyclesIn(body), window, context) };
  for (const { sleep, place } of sleeps) {
    const events = await readOptional(http, '/sleep-service/v1/sleep-events', { activityId: sleep.id });
    // A page of several responses has the version of the oldest.
    yield { ...mapSleep(events?.body, sleep, place, window, context), version };
  }
}

/** The offset of a cycle, known only when the next one has the same: otherwise it may have changed at any moment in between. */
function offsetOf(cycle: Cycle, cycles: readonly Cycle[]): number | null {
  const next = cycles.filter(({ startMs }) => startMs > cycle.startMs).toSorted((a, b) => a.startMs - b.startMs)[0];
  return next === undefined || next.offset === cycle.offset ? cycle.offset : null;
}

/** Where readings of a cycle end; one that has no end yet ends before the next one at the latest. */
function endOf(cycle: Cycle, cycles: readonly Cycle[]): number {
  const laterMs = cycles.flatMap(({ startMs }) => (startMs > cycle.startMs ? [startMs] : []));
  return cycle.endMs ?? Math.min(cycle.startMs + openCycleMs, ...laterMs);
}

/** There is no other metric, also no steps: any other name is refused. */
function readHeartrate(http: ProviderHttp, user: PullUser, { fromMs, toMs }: Stretch) {
  const [start, end] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  const query = { name: 'heart_rate', start, end, step: String(heartStepSeconds) };
  return readOptional(http, `/metrics-service/v1/metrics/user/${user.providerUserId}`, query);
}

async function* pullMetrics({ http, user, window, now }: PullContext): AsyncGenerator<PulledPage> {
  const context = createContext(user);
  const { body } = await readCycles(http, user.providerUserId, window);
  const cycles = readEach('heartrate', cyclesIn(body), [], readCycle);
  for (const cycle of cycles.filter(({ day }) => isWithin(day, window))) {
    const offset = offsetOf(cycle, cycles);
    const requested = { fromMs: cycle.startMs, toMs: endOf(cycle, cycles) };
    const heart = await readHeartrate(http, user, requested);
    if (heart === null) continue;
    const mapped = mapHeartrate(heart.body, offset, context);
    // Complete up to the last reading: the strap may not have synced what follows.
    const allOf = samplesBetween({ fromMs: cycle.startMs, toMs: lastSampleMs(mapped.records) }, now, strap, ['heartrate']);
    yield { ...mapped, version: heart.version, allOf };
  }
}

export const whoopPulls: readonly PullSpec[] = [
  {
    ...completeDays,
    ...pullDefaults,
    name: 'cycles',
    resources: ['activity', 'workouts', 'sleep', 'sleep_cycle', 'hrv', 'blood_oxygen', 'respiratory_rate', 'body_temperature'],
    chunkDays: 20,
    backfillDays: historyDays,
    pull: pullCycles,
  },
  {
    ...pullDefaults,
    name: 'metrics',
    resources: ['heartrate'],
    chunkDays: 6,
    backfillDays: fineHistoryDays,
    // A strap that was away from its phone syncs the days since.
    rereadDays: 5,
    deletions: 'by_absence',
    pull: pullMetrics,
  },
];
