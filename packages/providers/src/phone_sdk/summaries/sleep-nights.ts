import type { Summary } from '@pulsewire/contract';
import { createRecordMaker } from '../../kit/records/record-maker.ts';
import { sleepRecords, type StageSpan } from '../../kit/records/sleep-records.ts';
import { resolveStages, type SleepClaim } from '../../kit/records/sleep/stages.ts';
import { dayAt } from '../read-item.ts';
import type { PhoneProvider, SleepSegment } from '../types.ts';

/** A pause of this length ends a night. */
export const nightGapMs = 120 * 60_000;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const inOrder = (a: SleepSegment, b: SleepSegment) =>
  a.startMs - b.startMs || a.endMs - b.endMs || compare(a.stage, b.stage) || compare(a.itemId, b.itemId);

/** Segments of one source, in any order, by night. */
export function splitNights(segments: readonly SleepSegment[]): SleepSegment[][] {
  const nights: SleepSegment[][] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const segment of segments.toSorted(inOrder)) {
    if (segment.startMs - endMs > nightGapMs) nights.push([]);
    nights.at(-1)?.push(segment);
    endMs = Math.max(endMs, segment.endMs);
  }
  return nights;
}

// Sleep without detail counts as light, as with other providers that only distinguish asleep from awake.
const kinds: Readonly<Record<string, Pick<SleepClaim, 'code' | 'detail'>>> = {
  deep: { code: 1, detail: 'stage' },
  light: { code: 2, detail: 'stage' },
  rem: { code: 3, detail: 'stage' },
  awake: { code: 4, detail: 'stage' },
  sleeping: { code: 2, detail: 'asleep' },
  in_bed: { code: -1, detail: 'in_bed' },
};

/** Sessions that have the start of a longer one: some apps write a night again and again while it lasts, each time as a new session. */
function outlivedSessions(night: readonly SleepSegment[]): ReadonlySet<string> {
  const spans = new Map<string, { startMs: number; endMs: number }>();
  for (const { parentId, startMs, endMs } of night) {
    if (parentId === '') continue;
    const span = spans.get(parentId);
    spans.set(parentId, { startMs: Math.min(span?.startMs ?? startMs, startMs), endMs: Math.max(span?.endMs ?? endMs, endMs) });
  }
  const latest = new Map<number, number>();
  for (const { startMs, endMs } of spans.values()) latest.set(startMs, Math.max(latest.get(startMs) ?? endMs, endMs));
  return new Set([...spans].flatMap(([id, { startMs, endMs }]) => (endMs < (latest.get(startMs) ?? endMs) ? [id] : [])));
}

function stagesOf(night: readonly SleepSegment[]): StageSpan[] {
  const outlived = outlivedSessions(night);
  const claims = night.map(({ stage, parentId, startMs, endMs }): SleepClaim => {
    const { code, detail } = kinds[stage] ?? { code: -1, detail: 'none' };
    return { startMs, endMs, code, detail: detail === 'stage' && outlived.has(parentId) ? 'outlived' : detail };
  });
  return resolveStages(claims);
}

export interface NightOwner {
  readonly userId: string;
  readonly provider: PhoneProvider;
}

/** Sleep and sleep cycle of a night, whose identity is app and start; only time in bed is no sleep. */
export function nightRecords({ userId, provider }: NightOwner, night: readonly SleepSegment[]): Summary[] {
  const [first] = night;
  const stages = stagesOf(night);
  if (!first || stages.length === 0) return [];
  const maker = createRecordMaker(provider, { userId, fallbackTimeZone: null, providerUserId: '', grantedScopes: [], account: {} });
  const endMs = night.reduce((latest, segment) => Math.max(latest, segment.endMs), first.endMs);
  const offset = night.find((segment) => segment.offset !== null)?.offset ?? null;
  const score = night.find((segment) => segment.score !== null)?.score ?? null;
  const records = sleepRecords(maker, {
    externalId: `${first.appId}|${new Date(first.startMs).toISOString()}`,
    sourceType: first.sourceType,
    day: dayAt(endMs, offset),
    startMs: first.startMs,
    endMs,
    offset,
    stages,
    data: { score },
  });
  const source = { provider, type: first.sourceType, appId: first.appId || null, deviceId: null };
  return records.map((record) => ({ ...record, source }));
}
