import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { rawOfParts } from '../../kit/records/raw-of.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import { readEach, readWhole } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { dayZoneOf, type DayZone } from '../day-zone.ts';
import { readDays, type UltrahumanDay } from '../day.ts';
import { figureOf, readReading, ring, type UltrahumanContext } from '../ultrahuman.ts';
import { mapReadings } from './map-series.ts';
import { mapSleep } from './map-sleep.ts';

/** The heart rate of a day; null when there is none. */
function heartRateOf({ metrics }: UltrahumanDay) {
  const values = metrics.get('hr')?.at('values');
  const beats = values && !values.isMissing ? readEach('activity', values, [], readReading).map(({ value }) => value) : [];
  const known = beats.filter((value) => value > 0);
  const resting =
    metrics
      .get('night_rhr')
      ?.at('avg')
      .optional((node) => node.number()) ?? null;
  if (known.length === 0 && resting === null) return null;
  const average = known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
  return {
    avg_bpm: average === null ? null : Math.round(average),
    min_bpm: known.length === 0 ? null : Math.min(...known),
    max_bpm: known.length === 0 ? null : Math.max(...known),
    resting_bpm: resting === null ? null : Math.round(resting),
    avg_walking_bpm: null,
  };
}

function activityOf(day: UltrahumanDay, clocks: DayZone, context: UltrahumanContext): CanonicalRecord[] {
  const steps = day.metrics.get('steps');
  const heart_rate = heartRateOf(day);
  // `total` is the day; the average beside it is that of a week.
  const total = steps === undefined ? null : (steps.at('total').optional((node) => node.amount()) ?? figureOf(steps, 'plain'));
  if (total === null && heart_rate === null) return [];
  const { zone, startMs } = clocks;
  return [
    context.summary({
      raw: rawOfParts(Object.fromEntries(day.metrics)),
      resource: 'activity',
      sourceType: ring,
      externalId: day.day,
      calendarDate: day.day,
      at: utcMidnight(day.day),
      offsetFrom: zone.originAt(startMs),
      data: {
        steps: total === null ? null : Math.round(total),
        heart_rate,
        time_zone: context.zoneOn(day.day).name,
        timezone_offset: zone.offsetAt(startMs),
      },
    }),
  ];
}

/** `/user_data/metrics`: all data of the ring and the patch for a local day. */
export function mapDay(body: unknown, requestedDay: string, context: UltrahumanContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const records = readDays(body, requestedDay, quarantined).flatMap((day): CanonicalRecord[] => {
    const clocks = dayZoneOf(day, context);
    return [
      ...mapSleep(day, clocks, context, quarantined),
      ...(readWhole('activity', quarantined, () => activityOf(day, clocks, context)) ?? []),
      ...mapReadings(day, clocks, context, quarantined),
    ];
  });
  return { records, quarantined };
}
