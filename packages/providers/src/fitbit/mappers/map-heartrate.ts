import type { Quarantined, Sample } from '@pulsewire/contract';
import { utcMidnight } from '../../kit/time/days.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { readClocked } from '../../kit/values/read-clocked.ts';
import { parseClock } from '../../kit/time/time.ts';
import { allMeasured } from '../context/all-of.ts';
import { groupOf, type MapContext, type Mapped } from '../context/map-context.ts';

/** The readings of `/1/user/-/activities/heart/date/{d}/1d/{1sec|1min}.json`; none for a response without readings. */
export function mapHeartrateDay(body: unknown, day: string, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const dataset = new JsonNode(body).at('activities-heart-intraday').at('dataset');
  if (dataset.isMissing) return { records: [], quarantined };
  const zone = context.zoneOn(day);
  const midnight = utcMidnight(day);
  const samples = readClocked(
    {
      resource: 'heartrate',
      list: dataset,
      zone,
      startMs: zone.startOfDay(day).ms,
      wallOf: (item) => midnight + item.at('time').time(parseClock),
      read(item, at): Sample {
        const value = item.at('value').amount();
        // A measured heart rate is never 0.
        if (value === 0) throw item.at('value').fail('bad_number');
        if (at.kind === 'gap') throw item.at('time').fail('bad_time');
        return { ts: at.ms, value, timezoneOffset: at.offset };
      },
    },
    quarantined,
  );
  const endMs = (samples.at(-1)?.ts ?? Number.NEGATIVE_INFINITY) + 1;
  const allOf = allMeasured('heartrate', { startDate: day, endDate: day }, context, endMs);
  return { records: groupOf('heartrate', 'watch', samples), quarantined, allOf };
}
