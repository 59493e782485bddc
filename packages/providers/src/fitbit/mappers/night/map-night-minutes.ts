import type { Quarantined, Sample } from '@pulsewire/contract';
import { JsonNode, readEach } from '../../../kit/values/json-node.ts';
import { readClocked } from '../../../kit/values/read-clocked.ts';
import { parseWallClock } from '../../../kit/time/time.ts';
import { groupOf, type MapContext, type Mapped } from '../../context/map-context.ts';

/** A series within a night: how its response lists the nights, and how to read the value of a minute. */
export interface NightMinutes {
  readonly resource: string;
  nights(body: unknown): JsonNode;
  value(minute: JsonNode): number;
}

/** RMSSD in ms, every five minutes. */
export const hrvMinutes: NightMinutes = {
  resource: 'hrv',
  nights: (body) => new JsonNode(body).at('hrv'),
  value: (minute) => minute.at('value').at('rmssd').amount(),
};

/** Percent; a bare list of nights. */
export const bloodOxygenMinutes: NightMinutes = {
  resource: 'blood_oxygen',
  nights: (body) => new JsonNode(body),
  value: (minute) => minute.at('value').amount(),
};

/** Minutes of a night in the zone of the day on which it ended, as for the sleep itself. */
function readNight(night: JsonNode, series: NightMinutes, context: MapContext, quarantined: Quarantined[]): readonly Sample[] {
  const zone = context.zoneOn(night.at('dateTime').day());
  return readClocked(
    {
      resource: series.resource,
      list: night.at('minutes'),
      zone,
      wallOf: (minute) => minute.at('minute').time(parseWallClock),
      read(minute, at): Sample {
        const value = series.value(minute);
        // Neither value is ever zero in a living person.
        if (value === 0) throw minute.at('value').fail('bad_number');
        if (at.kind === 'gap') throw minute.at('minute').fail('bad_time');
        return { ts: at.ms, value, timezoneOffset: at.offset };
      },
    },
    quarantined,
  );
}

/**
 * Maps a response of `/hrv/date/{start}/{end}/all.json` or `/spo2/…` to samples of single minutes. Undefined when it has nights but none
 * of them has minutes: the application has no access to them.
 */
export function mapNightMinutes(body: unknown, series: NightMinutes, context: MapContext): Mapped | undefined {
  const quarantined: Quarantined[] = [];
  let withMinutes = 0;
  let without = 0;
  const nights = readEach(series.resource, series.nights(body), quarantined, (night) => {
    night.at('dateTime').day();
    if (night.at('minutes').isMissing) without += 1;
    else withMinutes += 1;
    return night.at('minutes').isMissing ? undefined : readNight(night, series, context, quarantined);
  });
  if (without > 0 && withMinutes === 0) return undefined;
  return { records: groupOf(series.resource, 'watch', nights.flat()), quarantined };
}
