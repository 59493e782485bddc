import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import { deviceOfRow } from '../devices.ts';
import { measured, rounded, sources, type WithingsContext } from '../withings.ts';

/** Requested by name, because the defaults are few. */
export const activityFields =
  'steps,distance,elevation,soft,moderate,intense,active,calories,totalcalories,hr_average,hr_min,hr_max,hr_zone_0,hr_zone_1,hr_zone_2,hr_zone_3';

/** Counted by a phone or another maker's app and passed on. */
const external = 18;

function readActivity(item: JsonNode, window: PullWindow, context: WithingsContext): readonly CanonicalRecord[] {
  const day = item.at('date').day();
  if (!isWithin(day, window)) return [];
  const sourceType = item.at('brand').value === external ? sources.phone : sources.watch;
  const zoneName = item.at('timezone').value;
  const zone = context.zoneFor(zoneName, utcMidnight(day));
  const { ms: startMs, offset } = zone.startOfDay(day);
  const amountOf = (key: string) => item.at(key).optional((node) => node.amount());
  const minutesOf = (key: string) => {
    const seconds = amountOf(key);
    return seconds === null ? null : Math.round(seconds / 60);
  };
  const average = measured(item.at('hr_average'));
  const heart = { avg_bpm: average, min_bpm: measured(item.at('hr_min')), max_bpm: measured(item.at('hr_max')) };
  const activity = context.summary({
    raw: item,
    resource: 'activity',
    sourceType,
    externalId: day,
    calendarDate: day,
    at: utcMidnight(day),
    offsetFrom: zone.originAt(startMs),
    data: {
      calories_total: measured(item.at('totalcalories')),
      calories_active: amountOf('calories'),
      steps: amountOf('steps'),
      distance: amountOf('distance'),
      floors_climbed: rounded(item.at('elevation')),
      low: minutesOf('soft'),
      medium: minutesOf('moderate'),
      high: minutesOf('intense'),
      heart_rate: average === null ? null : { ...heart, resting_bpm: null, avg_walking_bpm: null },
      time_zone: typeof zoneName === 'string' ? zoneName : null,
      timezone_offset: offset,
    },
  });
  return recordedBy(deviceOfRow(item, sourceType, context), [activity]);
}

/** `getactivity`: the summaries of days. Counts of a phone are a separate summary, so that nothing is counted twice. */
export function mapActivity(body: unknown, window: PullWindow, context: WithingsContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('body').at('activities');
  return { records: readEach('activity', list, quarantined, (item) => readActivity(item, window, context)).flat(), quarantined };
}
