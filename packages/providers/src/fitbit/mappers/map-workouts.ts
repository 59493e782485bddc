import { renderDateTime, type Quarantined, type Summary } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { maximumHeartRate, zonesOfRanges } from '../../kit/records/heart-rate-zones.ts';
import { msToDay } from '../../kit/time/days.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { PullWindow } from '../../kit/types/connector.ts';
import { JsonNode, readEach, readWhole } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { fitbitSummaryId, sourceOf, type MapContext, type Mapped } from '../context/map-context.ts';
import { kilometresToMetres } from './map-minutes.ts';
import { mapSport } from './sports.ts';

const kilometresPerMile = 1.609344;

/** Fitbit states the unit of each distance; a missing or unknown unit is not guessed. */
function readDistance(log: JsonNode): number | null {
  const distance = log.at('distance').optional((node) => node.amount());
  if (distance === null) return null;
  const unit = log.at('distanceUnit').value;
  if (unit === 'Kilometer') return kilometresToMetres(distance);
  return unit === 'Mile' ? kilometresToMetres(distance * kilometresPerMile) : null;
}

function sourceTypeOf(log: JsonNode): 'watch' | 'app' {
  if (log.at('logType').value === 'manual') return 'app';
  return log.at('source').at('type').value === 'app' ? 'app' : 'watch';
}

/** Fitbit's zones have bounds of their own, by heart-rate reserve or set by the user, and minutes. Empty without a heart rate. */
function readZones(log: JsonNode, maximum: number): readonly number[] | null {
  const ranges = log
    .at('heartRateZones')
    .itemsOrNone()
    .map((zone) => ({ low: zone.at('min').amount(), high: zone.at('max').amount(), seconds: zone.at('minutes').amount() * 60 }));
  return zonesOfRanges(ranges, maximum);
}

function readWorkout(log: JsonNode, context: MapContext, quarantined: Quarantined[]): Summary {
  const logId = log.at('logId').id();
  // The value contains its offset, so a workout on a journey keeps the local day on which it took place.
  const start = log.at('startTime').time(parseInstant);
  const endMs = start.ms + log.at('duration').amount();
  const activeMs = log.at('activeDuration').optional((node) => node.amount());
  const distance = readDistance(log);
  const name = log.at('activityName').optional((node) => node.text());
  const source = sourceOf(sourceTypeOf(log));
  const calendarDate = msToDay(start.ms + start.offset * 1000);
  const whole = (node: JsonNode): number => Math.round(node.amount());
  return {
    kind: 'summary',
    id: fitbitSummaryId(context, source, 'workouts', logId),
    resource: 'workouts',
    source,
    calendarDate,
    at: start.ms,
    offsetFrom: 'value',
    raw: { externalId: logId, data: log.value },
    data: {
      title: name,
      timezone_offset: start.offset,
      average_hr: log.at('averageHeartRate').optional(whole),
      distance,
      hr_zones: readWhole('workouts', quarantined, () => readZones(log, maximumHeartRate(context, calendarDate))) ?? null,
      time_start: renderDateTime(start.ms),
      time_end: renderDateTime(endMs),
      calories: log.at('calories').optional((node) => node.amount()),
      sport: mapSport(name ?? ''),
      moving_time: activeMs === null ? null : Math.round(activeMs / 1000),
      total_elevation_gain: log.at('elevationGain').optional((node) => roundTo(node.amount(), 2)),
      average_speed: distance === null || activeMs === null || activeMs === 0 ? null : roundTo(distance / (activeMs / 1000), 3),
      steps: log.at('steps').optional(whole),
      provider_id: logId,
    },
  };
}

/**
 * Maps one page of `/1/user/-/activities/list.json` to the workouts of the window. `isPast`: the page extends beyond the window's last
 * day, so the following pages need not be fetched.
 */
export function mapWorkouts(body: unknown, window: PullWindow, context: MapContext): Mapped & { readonly isPast: boolean } {
  const quarantined: Quarantined[] = [];
  let isPast = false;
  const records = readEach('workouts', new JsonNode(body).at('activities'), quarantined, (log) => {
    const workout = readWorkout(log, context, quarantined);
    const day = workout.calendarDate ?? '';
    if (day > window.endDate) isPast = true;
    return isWithin(day, window) ? workout : undefined;
  });
  return { records, quarantined, isPast };
}
