import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { rawOfItems } from '../../kit/records/raw-of.ts';
import { sleepRecords, type StageSpan } from '../../kit/records/sleep-records.ts';
import { coveredMs, within } from '../../kit/time/partition.ts';
import { resolveStages, type SleepClaim } from '../../kit/records/sleep/stages.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { appSource } from '../google-fit.ts';
import { numberAt, originOf, readEachPoint, readTimes } from '../read-point.ts';
import { sleepCode } from '../sports.ts';
import { readSessionList, type Session } from './read-session.ts';

/** Sleep without detail counts as light, because the total must add up; out of bed counts as awake. */
const kinds: ReadonlyMap<number | null, Pick<SleepClaim, 'code' | 'detail'>> = new Map([
  [1, { code: 4, detail: 'stage' }],
  [2, { code: 2, detail: 'asleep' }],
  [3, { code: 4, detail: 'stage' }],
  [4, { code: 2, detail: 'stage' }],
  [5, { code: 1, detail: 'stage' }],
  [6, { code: 3, detail: 'stage' }],
]);

/** A wake of this length or more separates two sleeps. */
const gapMs = 30 * 60_000;

interface Segment extends SleepClaim {
  readonly origin: string;
}

type Night = readonly [Session, ...Session[]];

const endOf = (night: Night) => night.reduce((latest, { end }) => (end.ms > latest.ms ? end : latest), night[0].end);

/** Apps write a new session after every wake: those of one app that are close together are one night. */
function joinNights(sessions: readonly Session[]): Night[] {
  const nights: Session[][] = [];
  for (const ofApp of Map.groupBy(sessions, ({ appId }) => appId).values()) {
    let endMs = Number.NEGATIVE_INFINITY;
    for (const session of ofApp.toSorted((a, b) => a.start.ms - b.start.ms || a.end.ms - b.end.ms)) {
      if (session.start.ms - endMs < gapMs) nights.at(-1)?.push(session);
      else nights.push([session]);
      endMs = Math.max(endMs, session.end.ms);
    }
  }
  return nights as unknown as Night[];
}

function readSegments(body: unknown, quarantined: Quarantined[]): Segment[] {
  return readEachPoint('sleep', body, quarantined, (point): Segment => {
    const kind = kinds.get(numberAt(point, 0)) ?? ({ code: -1, detail: 'none' } as const);
    const writtenMs = Number(point.at('modifiedTimeMillis').value) || null;
    return { ...readTimes(point), ...kind, writtenMs, origin: originOf(point) };
  });
}

const isBy = (appId: string | null, { origin }: Segment) => appId !== null && origin.split(':').includes(appId);

/** The segments of a night: those of its own app where they name it, else those that name no app with a night of its own. */
function segmentsOf(night: Night, apps: ReadonlySet<string>, segments: readonly Segment[]): SleepClaim[] {
  const [{ appId, start }] = night;
  const inside = within(segments, { startMs: start.ms, endMs: endOf(night).ms });
  const own = inside.filter((segment) => isBy(appId, segment));
  return own.length > 0 ? own : inside.filter(({ origin }) => !origin.split(':').some((part) => apps.has(part)));
}

/** The stages of a night. A session in which no segment lies is sleep without detail, beside others of the night that have stages. */
function stagesOf(night: Night, apps: ReadonlySet<string>, segments: readonly Segment[]): StageSpan[] {
  const claims = segmentsOf(night, apps, segments);
  if (claims.length === 0) return [];
  const bare = night.map(({ start, end }) => ({ startMs: start.ms, endMs: end.ms })).filter((span) => within(claims, span).length === 0);
  return resolveStages([...claims, ...bare.map((span): SleepClaim => ({ ...span, code: 2, detail: 'asleep' }))]);
}

/** Seconds that sessions cover, each counted once: an app may write a session again. */
function secondsOf(night: Night): number {
  const spans = night.map(({ start, end }) => ({ startMs: start.ms, endMs: end.ms }));
  return coveredMs(spans) / 1000;
}

function mapNight(night: Night, apps: ReadonlySet<string>, segments: readonly Segment[], context: RecordMaker): readonly CanonicalRecord[] {
  const [first] = night;
  const end = endOf(night);
  const stages = stagesOf(night, apps, segments);
  const inBed = (end.ms - first.start.ms) / 1000;
  const total = Math.min(Math.round(secondsOf(night)), Math.round(inBed));
  const records = sleepRecords(context, {
    raw: rawOfItems(night.map(({ item }) => item)),
    externalId: first.id,
    sourceType: appSource,
    day: end.day,
    startMs: first.start.ms,
    endMs: end.ms,
    offset: end.offset,
    offsetFrom: end.offsetFrom,
    stages,
    ...(stages.length === 0 && { seconds: { light: total, deep: 0, rem: 0, awake: Math.round(inBed) - total } }),
    timeZone: context.zoneOn(end.day).name,
  });
  return records.map((record) => ({ ...record, source: { ...record.source, appId: first.appId } }));
}

/** Sessions of sleep and the pages of `sleep.segment` around them, as the nights that end in the window. */
export function mapSleep(list: unknown, segmentPages: readonly unknown[], window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const sessions = readSessionList('sleep', list, context, quarantined).filter(({ code }) => code === sleepCode);
  const segments = segmentPages.flatMap((body) => readSegments(body, quarantined));
  const apps = new Set(sessions.flatMap(({ appId }) => appId ?? []));
  const ended = joinNights(sessions).filter((night) => isWithin(endOf(night).day, window));
  return { records: ended.flatMap((night) => mapNight(night, apps, segments, context)), quarantined };
}
