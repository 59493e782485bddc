import type { Quarantined, Sample } from '@pulsewire/contract';
import { utcMidnight } from '../kit/days.ts';
import { JsonNode, readEach } from '../kit/json-node.ts';
import { parseClock } from '../kit/time.ts';
import { groupOf, type MapContext, type Mapped } from './map-context.ts';

/** The readings of `/1/user/-/activities/heart/date/{d}/1d/{1sec|1min}.json`. An answer without readings gives none. */
export function mapHeartrateDay(body: unknown, day: string, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const dataset = new JsonNode(body).at('activities-heart-intraday').at('dataset');
  if (dataset.isMissing) return { records: [], quarantined };
  const zone = context.zoneOn(day);
  const midnight = utcMidnight(day);
  let expectedMs = zone.startOfDay(day).ms;
  const samples = readEach('heartrate', dataset, quarantined, (item): Sample => {
    const start = zone.toInstant(midnight + item.at('time').time(parseClock), expectedMs);
    const value = item.at('value').amount();
    if (start.kind === 'gap') throw item.at('time').fail('bad_time');
    // No heart that is measured stands still.
    if (value === 0) throw item.at('value').fail('bad_number');
    expectedMs = start.ms;
    return { ts: start.ms, value, timezoneOffset: start.offset };
  });
  return { records: groupOf('heartrate', 'watch', samples), quarantined };
}
