import type { CanonicalRecord } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { sleepRecords } from '../kit/records/sleep-records.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import type { DayFacts } from './day-facts.ts';
import { idsOf } from './days.ts';
import { mattress } from './eight-sleep.ts';
import { figureOf, instantOf } from './read-reading.ts';

/** A day with sums and without sessions. Its limits are those of a single session only; several cannot be distinguished. */
export function readWithoutSessions(day: JsonNode, facts: DayFacts, context: RecordMaker): readonly CanonicalRecord[] {
  const ids = idsOf(day);
  const [startMs, endMs] = [instantOf(day.at('presenceStart')), instantOf(day.at('presenceEnd'))];
  const asleep = figureOf(day.at('sleepDuration'));
  const [id] = ids;
  if (ids.length !== 1 || id === undefined || id.isMissing || startMs === null || endMs === null || asleep === null) return [];
  const sum = (name: string) => Math.round(figureOf(day.at(`${name}Duration`)) ?? 0);
  const [deep, rem] = [sum('deep'), sum('rem')];
  const light = Math.round(figureOf(day.at('lightDuration')) ?? Math.max(0, asleep - deep - rem));
  const awake = Math.max(0, Math.round((endMs - startMs) / 1000) - light - deep - rem);
  const figures = facts.figuresOf(id.id());
  const zone = context.zoneOn(facts.day);
  return sleepRecords(context, {
    externalId: id.id(),
    sourceType: mattress,
    raw: day,
    day: facts.day,
    startMs,
    endMs,
    offset: zone.offsetAt(startMs),
    offsetFrom: zone.originAt(startMs),
    stages: [],
    seconds: { light, deep, rem, awake },
    data: {
      score: figures.score,
      hr_average: figures.heartRate === null ? null : Math.round(figures.heartRate),
      average_hrv: figures.hrv,
      respiratory_rate: figures.respiratoryRate,
      latency: figures.latency,
      state: facts.isTentative ? 'tentative' : 'confirmed',
    },
  });
}
