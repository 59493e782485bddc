import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { utcMidnight } from '../../kit/time/days.ts';
import { readEach, type JsonNode } from '../../kit/values/json-node.ts';
import { amountOf, countOf, dayOf, distanceOf, positiveOf, readSpan, watch, type GarminContext, type Span } from '../garmin.ts';
import { onceEach, readSampleMap } from '../sample-map.ts';

function summaryOf(item: JsonNode, span: Span, context: GarminContext): CanonicalRecord {
  const [active, basal] = [amountOf(item, 'activeKilocalories'), amountOf(item, 'bmrKilocalories')];
  const minutes = (key: string) => {
    const seconds = amountOf(item, key);
    return seconds === null ? null : Math.round(seconds / 60);
  };
  const day = dayOf(item, span);
  // Reported by watches in wheelchair mode; others send at most a zero.
  const pushes = countOf(item, 'pushes') || null;
  return context.summary({
    raw: item,
    resource: 'activity',
    sourceType: watch,
    // A day is pushed again while it lasts, and by a second watch under another id: it is the same day.
    externalId: day,
    calendarDate: day,
    at: utcMidnight(day),
    data: {
      calories_total: active === null || basal === null ? null : active + basal,
      calories_active: active,
      steps: countOf(item, 'steps'),
      distance: distanceOf(item),
      ...(pushes === null ? {} : { wheelchair_use: true, wheelchair_push: pushes }),
      low: null,
      medium: minutes('moderateIntensityDurationInSeconds'),
      high: minutes('vigorousIntensityDurationInSeconds'),
      floors_climbed: countOf(item, 'floorsClimbed'),
      timezone_offset: span.offset,
      heart_rate: {
        // The average of the daily is said to cover seven days.
        avg_bpm: null,
        min_bpm: positiveOf(item, 'minHeartRateInBeatsPerMinute'),
        max_bpm: positiveOf(item, 'maxHeartRateInBeatsPerMinute'),
        resting_bpm: positiveOf(item, 'restingHeartRateInBeatsPerMinute'),
        avg_walking_bpm: null,
      },
    },
  });
}

/** `dailies`: the day's summary, its heart rate, and values that exist only as totals of the day. */
export function mapDailies(items: JsonNode, context: GarminContext, quarantined: Quarantined[]): CanonicalRecord[] {
  const days = readEach('activity', items, quarantined, (item) => {
    const span = readSpan(item, context);
    const total = (key: string): Sample[] => {
      const value = amountOf(item, key);
      return value === null ? [] : [{ ts: span.startMs, end: span.endMs, value, timezoneOffset: span.offset }];
    };
    return {
      summary: summaryOf(item, span, context),
      heart: readSampleMap('heartrate', item.at('timeOffsetHeartRateSamples'), span, 1, quarantined),
      floors: total('floorsClimbed'),
      basal: total('bmrKilocalories'),
    };
  });
  const of = (resource: string, samples: readonly Sample[]) => context.samples(resource, watch, onceEach(samples));
  return [
    ...days.map(({ summary }) => summary),
    ...of(
      'heartrate',
      days.flatMap(({ heart }) => heart),
    ),
    ...of(
      'floors_climbed',
      days.flatMap(({ floors }) => floors),
    ),
    ...of(
      'calories_basal',
      days.flatMap(({ basal }) => basal),
    ),
  ];
}
