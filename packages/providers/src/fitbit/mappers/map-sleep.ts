import { renderDateTime, type Quarantined, type Summary } from '@pulsewire/contract';
import { mapEach } from '../../kit/records/map-records.ts';
import { secondsIn, type SleepStage } from '../../kit/records/sleep/overlay-wakes.ts';
import { readingsOf } from '../../kit/time/list-instants.ts';
import { parseWallClock } from '../../kit/time/time.ts';
import { openOffsets, type LocalInstant, type Zone } from '../../kit/time/zone.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { fitbitSummaryId, sourceOf, type MapContext, type Mapped } from '../context/map-context.ts';
import { readSleepStages } from './sleep-stages.ts';

const longSleepSeconds = 3 * 3600;
/** Times are written to the half minute; the changes to distinguish are of half an hour or more. */
const clockToleranceMs = 5 * 60_000;

interface Night {
  readonly log: JsonNode;
  readonly logId: string;
  readonly day: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly offset: number | null;
  readonly isManual: boolean;
  readonly latencySeconds: number | null;
  readonly stages: readonly SleepStage[];
  readonly minutesAsleep: number;
  readonly minutesAwake: number;
}

/** When a night began. In a repeated hour the end and the duration determine the pass; if they do not, the first one applies. */
function readStart(log: JsonNode, zone: Zone, durationMs: number): LocalInstant {
  const { first, later } = readingsOf(zone, log.at('startTime').time(parseWallClock));
  const end = parseWallClock(String(log.at('endTime').value));
  const wallAt = (ms: number): number => ms + (zone.offsetAt(ms) ?? 0) * 1000;
  const endsRight = (start: LocalInstant): boolean => wallAt(start.ms + durationMs) === end;
  return later !== null && !endsRight(first) && endsRight(later) ? later : first;
}

/**
 * The zone in which the times of a night are written. When clocks change during it, some nights have been reported with all of their times
 * in the offset of the start: then the time from start to end is the duration. Otherwise the times are those that clocks showed.
 */
function zoneOfTimes(log: JsonNode, zone: Zone, start: LocalInstant, durationMs: number): Zone {
  const { offset } = start;
  const [startWall, endWall] = ['startTime', 'endTime'].map((key) => parseWallClock(String(log.at(key).value)));
  if (offset === null || startWall === undefined || endWall === undefined) return zone;
  const isSteady = zone.offsetAt(start.ms + durationMs) === offset;
  if (isSteady || Math.abs(endWall - startWall - durationMs) > clockToleranceMs) return zone;
  return openOffsets(zone.name ?? '', () => offset, zone.originAt);
}

function readNight(log: JsonNode, context: MapContext, quarantined: Quarantined[]): Night {
  const day = log.at('dateOfSleep').day();
  const zone = context.zoneOn(day);
  const durationMs = log.at('duration').amount();
  const start = readStart(log, zone, durationMs);
  return {
    log,
    logId: log.at('logId').id(),
    day,
    startMs: start.ms,
    // `endTime` has no offset either; the duration is correct even when clocks changed during the night.
    endMs: start.ms + durationMs,
    offset: start.offset,
    isManual: log.at('logType').value === 'manual',
    latencySeconds: log.at('minutesToFallAsleep').optional((node) => Math.round(node.amount() * 60)),
    stages: readSleepStages(log.at('levels'), zoneOfTimes(log, zone, start, durationMs), start.ms, quarantined),
    minutesAsleep: log.at('minutesAsleep').optional((node) => node.amount()) ?? 0,
    minutesAwake: log.at('minutesAwake').optional((node) => node.amount()) ?? 0,
  };
}

/** Seconds by stage. A log without levels, which some apps write, still distinguishes asleep from awake. */
function secondsByStage(night: Night): { deep: number; light: number; rem: number; awake: number } {
  const { stages } = night;
  if (stages.length === 0)
    return { deep: 0, light: Math.round(night.minutesAsleep * 60), rem: 0, awake: Math.round(night.minutesAwake * 60) };
  return { deep: secondsIn(stages, 1), light: secondsIn(stages, 2), rem: secondsIn(stages, 3), awake: secondsIn(stages, 4) };
}

function sleepType(duration: number, isManual: boolean): string {
  if (duration >= longSleepSeconds) return 'long_sleep';
  return isManual ? 'acknowledged_nap' : 'short_sleep';
}

function buildSleep(night: Night, id: string): Summary {
  const seconds = secondsByStage(night);
  const duration = Math.round((night.endMs - night.startMs) / 1000);
  const total = seconds.deep + seconds.light + seconds.rem;
  return {
    kind: 'summary',
    id,
    resource: 'sleep',
    source: sourceOf(night.isManual ? 'app' : 'watch'),
    calendarDate: night.day,
    at: night.endMs,
    raw: { externalId: night.logId, data: night.log.value },
    data: {
      bedtime_start: renderDateTime(night.startMs),
      bedtime_stop: renderDateTime(night.endMs),
      type: sleepType(duration, night.isManual),
      timezone_offset: night.offset,
      duration,
      total,
      ...seconds,
      // As the contract defines it, so that providers are comparable; Fitbit's own value excludes the minutes before sleep.
      efficiency: duration === 0 ? null : roundTo((total / duration) * 100, 1),
      latency: night.latencySeconds,
    },
  };
}

function buildSleepCycle(night: Night, sleepId: string, context: MapContext): Summary {
  const source = sourceOf(night.isManual ? 'app' : 'watch');
  const offsetOf = (ms: number): number => Math.round((ms - night.startMs) / 1000);
  return {
    kind: 'summary',
    id: fitbitSummaryId(context, source, 'sleep_cycle', night.logId),
    resource: 'sleep_cycle',
    source,
    calendarDate: night.day,
    at: night.startMs,
    data: {
      sleep_id: sleepId,
      session_start: renderDateTime(night.startMs),
      session_end: renderDateTime(night.endMs),
      stage_start_offset_second: night.stages.map((stage) => offsetOf(stage.startMs)),
      stage_end_offset_second: night.stages.map((stage) => offsetOf(stage.endMs)),
      stage_type: night.stages.map((stage) => stage.code),
      time_zone: context.zoneOn(night.day).name,
    },
  };
}

/** Maps `/1.2/user/-/sleep/date/{start}/{end}.json` to a sleep for each log, and its cycle if it has stages. */
export function mapSleep(body: unknown, context: MapContext): Mapped {
  return mapEach('sleep', new JsonNode(body).at('sleep'), (log, quarantined) => {
    const night = readNight(log, context, quarantined);
    const sleepId = fitbitSummaryId(context, sourceOf(night.isManual ? 'app' : 'watch'), 'sleep', night.logId);
    const sleep = buildSleep(night, sleepId);
    return night.stages.length === 0 ? [sleep] : [sleep, buildSleepCycle(night, sleepId, context)];
  });
}
