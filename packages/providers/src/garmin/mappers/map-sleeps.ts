import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { msToDay } from '../../kit/time/days.ts';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { sleepRecords, type StageSpan } from '../../kit/records/sleep-records.ts';
import { resolveStages } from '../../kit/records/sleep/stages.ts';
import {
  amountOf,
  app,
  countOf,
  dayOf,
  readDuration,
  readInstant,
  readOffset,
  readSpan,
  watch,
  type GarminContext,
  type Span,
} from '../garmin.ts';
import { readSampleMap } from '../sample-map.ts';

const stageCodes = { deep: 1, light: 2, rem: 3, awake: 4 } as const;

function readStages(item: JsonNode): StageSpan[] {
  const levels = item.at('sleepLevelsMap');
  const spans = Object.entries(stageCodes).flatMap(([name, code]) =>
    levels
      .at(name)
      .itemsOrNone()
      .map((node) => {
        const [startMs, endMs] = [readInstant(node.at('startTimeInSeconds')), readInstant(node.at('endTimeInSeconds'))];
        if (endMs < startMs) throw node.at('endTimeInSeconds').fail('bad_time');
        return { code, detail: 'stage' as const, startMs, endMs };
      }),
  );
  return resolveStages(spans);
}

function stateOf(item: JsonNode): string | null {
  const validation = item.at('validation').optional((node) => node.text()) ?? '';
  if (validation.endsWith('_TENTATIVE')) return 'tentative';
  return validation.endsWith('_FINAL') ? 'confirmed' : null;
}

function averageOf(item: JsonNode, key: string, span: Span, quarantined: Quarantined[]): number | null {
  const readings = readSampleMap('sleep', item.at(key), span, 1, quarantined);
  return readings.length === 0 ? null : roundTo(readings.reduce((sum, { value }) => sum + (value ?? 0), 0) / readings.length, 1);
}

function readNight(item: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const span = readSpan(item, context);
  const { startMs, offset } = span;
  const stages = readStages(item);
  const unmeasured = amountOf(item, 'unmeasurableSleepInSeconds') ?? amountOf(item, 'unmeasurableSleepDurationInSeconds') ?? 0;
  const seconds = {
    light: amountOf(item, 'lightSleepDurationInSeconds') ?? 0,
    deep: amountOf(item, 'deepSleepDurationInSeconds') ?? 0,
    rem: amountOf(item, 'remSleepInSeconds') ?? 0,
    awake: amountOf(item, 'awakeDurationInSeconds') ?? 0,
  };
  const { light, deep, rem, awake } = seconds;
  // Sources disagree on whether the duration includes the time awake: a night is at least as long as its parts.
  const computedMs = Math.max(span.endMs, startMs + (light + deep + rem + awake + unmeasured) * 1000);
  // Entered manually, or with the watch taken off: the duration is known, but not the stages.
  const isUnstaged = light + deep + rem === 0 && stages.length === 0;
  const slept = isUnstaged ? { total: Math.round((span.endMs - startMs) / 1000), efficiency: null } : {};
  return sleepRecords(context, {
    raw: item,
    externalId: item.at('summaryId').id(),
    sourceType: watch,
    day: dayOf(item, span),
    startMs,
    endMs: Math.max(stages.at(-1)?.endMs ?? computedMs, startMs),
    offset,
    stages,
    seconds,
    data: {
      ...slept,
      score: countOf(item.at('overallSleepScore'), 'value') || null,
      state: stateOf(item),
      respiratory_rate: averageOf(item, 'timeOffsetSleepRespiration', span, quarantined),
    },
  });
}

/** A nap has no stages and no id: it is identified by its start. */
function readNap(nap: JsonNode, context: GarminContext): CanonicalRecord[] {
  const startMs = readInstant(nap.at('napStartTimeInSeconds'));
  const endMs = startMs + readDuration(nap.at('napDurationInSeconds'));
  const offset = readOffset(nap.at('napOffsetInSeconds'));
  return sleepRecords(context, {
    raw: nap,
    externalId: `nap-${startMs / 1000}`,
    sourceType: nap.at('napValidation').value === 'MANUAL' ? app : watch,
    day: msToDay(endMs + (offset ?? 0) * 1000),
    startMs,
    endMs,
    offset,
    stages: [],
    data: { total: Math.round((endMs - startMs) / 1000), efficiency: null },
  });
}

/** `sleeps`: each night with its cycle, and the naps that it lists. */
export function mapSleeps(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  return readEach('sleep', items, quarantined, (item) => {
    const night = readNight(item, context, quarantined);
    const naps = item.at('naps');
    return [...night, ...(naps.isMissing ? [] : readEach('sleep', naps, quarantined, (nap) => readNap(nap, context)).flat())];
  }).flat();
}
