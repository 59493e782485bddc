import type { Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { addDays } from '../../kit/time/days.ts';
import { readEach } from '../../kit/values/json-node.ts';
import { parseInstant, parseWallClock } from '../../kit/time/time.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import { recordedByEach, type DeviceReading } from '../../kit/records/recorded-by.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { readLocalDay } from '../time/parse-times.ts';
import { listIn, polarDevice, positive, readTestTime, watch, type PolarContext } from '../polar.ts';

// Always UTC, with or without a `Z`.
const parseUtc = (text: string): number | undefined => parseInstant(text)?.ms ?? parseWallClock(text);

/** `spo2`: spot tests; those that did not pass are left out. */
export function mapSpo2(body: unknown, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('blood_oxygen', listIn(body), quarantined, (item): DeviceReading | undefined => {
    const status = item.at('test_status');
    if (!status.text().startsWith('SPO2_TEST_')) throw status.fail('bad_text');
    if (status.value !== 'SPO2_TEST_PASSED') return undefined;
    const { ms, offset } = readTestTime(item);
    const value = positive(item.at('blood_oxygen_percent'));
    if (value === null) return undefined;
    return { device: polarDevice(item, context, null), sample: { ts: ms, value, timezoneOffset: offset } };
  });
  return { records: recordedByEach(samples, (ofDevice) => context.samples('blood_oxygen', watch, ofDevice)), quarantined };
}

/** `skintemperature`: of the night that ended on a day, absolute and relative to the user's baseline. */
export function mapSkinTemperature(body: unknown, window: PullWindow, context: PolarContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const nights = readEach('body_temperature', listIn(body), quarantined, (item) => {
    const day = readLocalDay(item.at('sleep_date'));
    const read = (key: string) => item.at(key).optional((node) => node.number());
    const [skin, delta] = [read('sleep_time_skin_temperature_celsius'), read('deviation_from_baseline_celsius')];
    return isWithin(day, window) ? { day, skin, delta } : undefined;
  });
  const samples = (value: number | null, day: string): Sample[] => {
    const { ms, offset } = context.clock.startOfDay(day);
    const end = context.clock.startOfDay(addDays(day, 1)).ms;
    const offsetFrom = context.clock.originAt(ms);
    return value === null ? [] : [{ ts: ms, end, value, timezoneOffset: offset, offsetFrom, extra: { sensor_location: 'wrist' } }];
  };
  const skins = nights.flatMap(({ day, skin }) => samples(skin, day));
  const deltas = nights.flatMap(({ day, delta }) => samples(delta, day));
  return {
    records: [...context.samples('body_temperature', watch, skins), ...context.samples('body_temperature_delta', watch, deltas)],
    quarantined,
  };
}

/** `bodytemperature`: series of measurements, each with its distance from the start in ms. */
export function mapBodyTemperature(body: unknown, context: PolarContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('body_temperature', listIn(body), quarantined, (item): DeviceReading[] => {
    const device = polarDevice(item, context, null);
    const startMs = item.at('start_time').time(parseUtc);
    const isCore = item.at('measurement_type').text().toLowerCase().includes('core');
    return readEach('body_temperature', item.at('samples'), quarantined, (sample): DeviceReading => {
      const ts = startMs + Math.round(sample.at('recording_time_delta_milliseconds').amount());
      const value = sample.at('temperature_celsius').number();
      const extra = { sensor_location: isCore ? 'body' : 'wrist' };
      const timezoneOffset = context.clock.offsetAt(ts);
      return { device, sample: { ts, end: ts, value, timezoneOffset, offsetFrom: context.clock.originAt(ts), extra } };
    });
  });
  return { records: recordedByEach(samples.flat(), (ofDevice) => context.samples('body_temperature', watch, ofDevice)), quarantined };
}
