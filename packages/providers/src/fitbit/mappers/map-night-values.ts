import type { Quarantined, Sample } from '@pulsewire/contract';
import { addDays } from '../../kit/time/days.ts';
import { parseWallClock } from '../../kit/time/time.ts';
import type { Zone } from '../../kit/time/zone.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { readClocked } from '../../kit/values/read-clocked.ts';
import { groupOf, type MapContext, type Mapped } from '../context/map-context.ts';

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
    // Counted first: a night that cannot be read has minutes all the same.
    if (night.at('minutes').isMissing) without += 1;
    else withMinutes += 1;
    night.at('dateTime').day();
    return night.at('minutes').isMissing ? undefined : readNight(night, series, context, quarantined);
  });
  if (without > 0 && withMinutes === 0) return undefined;
  return { records: groupOf(series.resource, 'watch', nights.flat()), quarantined };
}

interface Reading {
  readonly value: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}

interface NightlySeries {
  readonly resource: string;
  readonly shape: 'point' | 'interval';
  read(entry: JsonNode): Reading;
}

function sampleOf(zone: Zone, day: string, shape: 'point' | 'interval', reading: Reading): Sample {
  const start = zone.startOfDay(day);
  return {
    ts: start.ms,
    ...(shape === 'interval' ? { end: zone.startOfDay(addDays(day, 1)).ms } : {}),
    timezoneOffset: start.offset,
    ...reading,
  };
}

/**
 * Values of a night, one per day. Fitbit reports the day on which the night ended and no time of day, so the sample is at that day's
 * first instant, which is within the night.
 */
function mapNightly(list: JsonNode, series: NightlySeries, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const samples = readEach(series.resource, list, quarantined, (entry) => {
    const day = entry.at('dateTime').day();
    return sampleOf(context.zoneOn(day), day, series.shape, series.read(entry));
  });
  return { records: groupOf(series.resource, 'watch', samples), quarantined };
}

/** `/1/user/-/hrv/date/{start}/{end}.json`: RMSSD of the night in ms. */
export function mapHrv(body: unknown, context: MapContext): Mapped {
  const read = (entry: JsonNode): Reading => ({ value: entry.at('value').at('dailyRmssd').amount() });
  return mapNightly(new JsonNode(body).at('hrv'), { resource: 'hrv', shape: 'point', read }, context);
}

/** `/1/user/-/spo2/date/{start}/{end}.json`: a bare list; the night's mean in percent. */
export function mapBloodOxygen(body: unknown, context: MapContext): Mapped {
  const read = (entry: JsonNode): Reading => ({ value: entry.at('value').at('avg').amount() });
  return mapNightly(new JsonNode(body), { resource: 'blood_oxygen', shape: 'point', read }, context);
}

/** `/1/user/-/br/date/{start}/{end}.json`: breaths per minute; the number is inside `value`. */
export function mapRespiratoryRate(body: unknown, context: MapContext): Mapped {
  const read = (entry: JsonNode): Reading => ({ value: entry.at('value').at('breathingRate').amount() });
  return mapNightly(new JsonNode(body).at('br'), { resource: 'respiratory_rate', shape: 'point', read }, context);
}

/** `/1/user/-/temp/skin/date/{start}/{end}.json`: °C relative to the user's own baseline, so often below zero. */
export function mapSkinTemperature(body: unknown, context: MapContext): Mapped {
  const read = (entry: JsonNode): Reading => ({
    value: entry.at('value').at('nightlyRelative').number(),
    extra: { sensor_location: 'wrist' },
  });
  return mapNightly(new JsonNode(body).at('tempSkin'), { resource: 'body_temperature_delta', shape: 'interval', read }, context);
}

const rangePattern = /^(\d+(?:\.\d+)?)\s*-\s*(\d+(?:\.\d+)?)$/;

/** Without a GPS run Fitbit reports only a range as text, `44-48`: the value is its middle, and both ends are kept. */
function readVo2Max(entry: JsonNode): Reading {
  const node = entry.at('value').at('vo2Max');
  const match = typeof node.value === 'string' ? rangePattern.exec(node.value) : null;
  if (match === null) return { value: node.amount() };
  const [low, high] = [Number(match[1]), Number(match[2])];
  if (high < low) throw node.fail('bad_number');
  return { value: (low + high) / 2, extra: { range_low: low, range_high: high } };
}

/** `/1/user/-/cardioscore/date/{start}/{end}.json`: VO2 max in mL/kg/min. */
export function mapVo2Max(body: unknown, context: MapContext): Mapped {
  return mapNightly(new JsonNode(body).at('cardioScore'), { resource: 'vo2_max', shape: 'interval', read: readVo2Max }, context);
}
