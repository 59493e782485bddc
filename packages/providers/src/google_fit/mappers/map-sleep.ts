import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { overlay, type SleepStage } from '../../kit/records/overlay-wakes.ts';
import { rawOfItems } from '../../kit/records/raw-of.ts';
import { sleepRecords } from '../../kit/records/sleep-records.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { appSource } from '../google-fit.ts';
import { numberAt, originOf, readEachPoint, readTimes } from '../read-point.ts';
import { sleepCode } from '../sports.ts';
import { readSessionList, type Session } from './read-session.ts';

/** Sleep without detail counts as light, because the total must add up; out of bed counts as awake. */
const codes: ReadonlyMap<number | null, number> = new Map([
  [1, 4],
  [2, 2],
  [3, 4],
  [4, 2],
  [5, 1],
  [6, 3],
]);

/** A wake of this length or more separates two sleeps. */
const gapMs = 30 * 60_000;

interface Segment extends SleepStage {
  readonly origin: string;
}

type Night = readonly [Session, ...Session[]];

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
  const segments = readEachPoint('sleep', body, quarantined, (point): Segment => {
    const { startMs, endMs } = readTimes(point);
    return { startMs, endMs, code: codes.get(numberAt(point, 0)) ?? -1, origin: originOf(point) };
  });
  return segments.toSorted((a, b) => a.startMs - b.startMs);
}

/** The stages of a night: those of its own app where the segments name it. Later segments yield where two overlap. */
function stagesOf(startMs: number, endMs: number, appId: string | null, segments: readonly Segment[]): SleepStage[] {
  const inside = segments.filter((segment) => segment.startMs < endMs && segment.endMs > startMs);
  const own = inside.filter(({ origin }) => appId !== null && origin.split(':').includes(appId));
  let fromMs = startMs;
  const stages = (own.length > 0 ? own : inside).flatMap((segment): SleepStage[] => {
    const stage = { code: segment.code, startMs: Math.max(fromMs, segment.startMs), endMs: Math.min(endMs, segment.endMs) };
    fromMs = Math.max(fromMs, stage.endMs);
    return stage.endMs > stage.startMs ? [stage] : [];
  });
  return overlay(stages, []);
}

function mapNight(night: Night, segments: readonly Segment[], context: RecordMaker): readonly CanonicalRecord[] {
  const [first] = night;
  const end = night.reduce((latest, session) => (session.end.ms > latest.ms ? session.end : latest), first.end);
  const stages = stagesOf(first.start.ms, end.ms, first.appId, segments);
  const asleep = night.reduce((sum, session) => sum + (session.end.ms - session.start.ms) / 1000, 0);
  const inBed = (end.ms - first.start.ms) / 1000;
  const total = Math.min(Math.round(asleep), Math.round(inBed));
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
export function mapSleep(
  list: unknown,
  segmentPages: readonly unknown[],
  { startDate, endDate }: PullWindow,
  context: RecordMaker,
): MappedRecords {
  const quarantined: Quarantined[] = [];
  const sessions = readSessionList('sleep', list, context, quarantined).filter(({ code }) => code === sleepCode);
  const segments = segmentPages.flatMap((body) => readSegments(body, quarantined)).toSorted((a, b) => a.startMs - b.startMs);
  const ended = joinNights(sessions).filter((night) => {
    const { day } = night.reduce((latest, { end }) => (end.ms > latest.ms ? end : latest), night[0].end);
    return day >= startDate && day <= endDate;
  });
  return { records: ended.flatMap((night) => mapNight(night, segments, context)), quarantined };
}
