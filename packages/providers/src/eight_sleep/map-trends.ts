import type { CanonicalRecord, CompleteRange, Quarantined, SampleGroup } from '@pulsewire/contract';
import { namesIn, namesOf, summariesOn } from '../kit/records/complete-ranges.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { PulledPage, PullWindow, SummaryName } from '../kit/types/connector.ts';
import { readEach, type JsonNode } from '../kit/values/json-node.ts';
import { readDayFacts } from './day-facts.ts';
import { daysIn, idsOf, scoresByDay } from './days.ts';
import { mattress } from './eight-sleep.ts';
import { readWithoutSessions } from './map-bare-day.ts';
import { createZoneReader, readSession, type ZoneReader } from './map-sessions.ts';

const resources = ['sleep', 'sleep_cycle'] as const;

interface Read {
  readonly day: string;
  readonly records: readonly CanonicalRecord[];
  readonly named: readonly SummaryName[];
}

function readDay(day: JsonNode, scores: JsonNode, context: RecordMaker, zoneOf: ZoneReader, quarantined: Quarantined[]): Read {
  const sessions = day.at('sessions').itemsOrNone();
  const known = sessions.length > 0 ? sessions.map((session) => session.at('id')) : idsOf(day);
  const facts = readDayFacts(
    day,
    scores,
    known.map(({ value }) => String(value)),
  );
  const records =
    sessions.length > 0
      ? readEach('sleep', day.at('sessions'), quarantined, (session) => readSession(session, facts, context, zoneOf, quarantined)).flat()
      : readWithoutSessions(day, facts, context);
  const named = [
    ...namesIn(day.at('sessions'), 'id', mattress, context, ...resources),
    ...idsOf(day).flatMap((id) => namesOf(id, mattress, context, ...resources)),
  ];
  return { day: facts.day, records, named };
}

/** Sessions of one day may begin within the same quarter of an hour, and so repeat a reading: the later session's is kept. */
function joinSamples(groups: readonly SampleGroup[]): readonly CanonicalRecord[] {
  return [...Map.groupBy(groups, ({ resource, source }) => `${resource}/${source.deviceId ?? ''}`).values()].map((same) => {
    const samples = new Map(same.flatMap((group) => group.samples.map((sample) => [sample.ts, sample] as const)));
    const [first] = same as [SampleGroup, ...SampleGroup[]];
    return { ...first, samples: [...samples.values()] };
  });
}

/**
 * The days between the first and the last one listed: a session that is missing there was deleted. An account without a subscription
 * gets empty lists, so nothing is concluded from days that are missing before or after.
 */
function completeDays(days: readonly string[], window: PullWindow): CompleteRange[] {
  const [startDate, endDate] = [days[0], days.at(-1)];
  if (startDate === undefined || endDate === undefined) return [];
  const inside = {
    startDate: startDate > window.startDate ? startDate : window.startDate,
    endDate: endDate < window.endDate ? endDate : window.endDate,
  };
  return summariesOn(inside, mattress, ...resources);
}

/** The days of `/trends`. `scores`: a second response, where the one with sessions has left the scores out. */
export function mapTrends(body: unknown, scores: unknown, window: PullWindow, context: RecordMaker): Omit<PulledPage, 'version'> {
  const quarantined: Quarantined[] = [];
  const zoneOf = createZoneReader();
  const scored = scoresByDay(scores);
  const days = readEach('sleep', daysIn(body), quarantined, (day) =>
    readDay(day, scored.get(day.at('day').value) ?? day, context, zoneOf, quarantined),
  );
  const records = days.flatMap((day) => day.records);
  const groups = records.filter((record) => record.kind === 'samples');
  return {
    records: [...records.filter(({ kind }) => kind !== 'samples'), ...joinSamples(groups)],
    quarantined,
    named: days.flatMap((day) => day.named),
    partOf: completeDays(days.map(({ day }) => day).toSorted(), window),
  };
}
