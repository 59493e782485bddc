import { minuteMs } from '@pulsewire/kernel';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import type { LogEntry } from './log-entry.ts';

const pumpEpochMs = Date.UTC(2008, 0, 1);
/** Dexcom G7, G6, Libre 2 and Libre 3, each worn for ten days. */
const sensorCodes = [399, 256, 372, 480];

/** Seconds since 2008 of the pump's clock, which has no zone. */
const pumpSeconds = ({ zone }: Person, ms: number) => (Date.parse(`${zone.localText(ms).slice(0, 19)}Z`) - pumpEpochMs) / 1000;

/** What a reading without a figure has: too high with the sensor's estimate or 0, too low, and one that is not shown. */
function statusOf(
  place: number,
  code: number,
): { readonly glucoseValueStatus: number; readonly currentGlucoseDisplayValue: number } | null {
  if (place === 50) return { glucoseValueStatus: 1, currentGlucoseDisplayValue: code === 399 ? 612 : 0 };
  if (place === 51) return { glucoseValueStatus: 2, currentGlucoseDisplayValue: 0 };
  return place === 52 ? { glucoseValueStatus: 6, currentGlucoseDisplayValue: 143 } : null;
}

/**
 * When the pump was out of reach of the sensor, by the minute of the local day; the readings follow ten minutes later, at night after
 * midnight.
 */
const gaps = [
  { fromMinute: 15 * 60, toMinute: 15 * 60 + 30, everyDays: 2 },
  { fromMinute: 23 * 60 + 35, toMinute: 24 * 60, everyDays: 3 },
];

/** A reading every five minutes. */
export function readingsOf(person: Person, day: PersonDay): LogEntry[] {
  const number = dayNumber(day.date);
  const code = sensorCodes[Math.floor(number / 10) % sensorCodes.length] ?? 399;
  return day.glucose.map(({ ms, value }, place) => {
    const { minute } = person.zone.toLocal(ms);
    const gap = gaps.find(({ fromMinute, toMinute, everyDays }) => number % everyDays === 0 && minute >= fromMinute && minute < toMinute);
    const loggedMs = gap ? person.zone.toInstant(day.date, (gap.toMinute + 10) * 60) : ms + 31_000;
    const shown = statusOf(place, code) ?? { glucoseValueStatus: 0, currentGlucoseDisplayValue: value };
    const properties = {
      ...shown,
      cgmDataType: [gap ? 1 : 0],
      rate: (value % 40) - 20,
      algorithmState: 32,
      rssi: -78,
      egvTimeStamp: pumpSeconds(person, ms),
      egvInfoBitmask: place % 9 === 0 ? [] : [0, 5, 6, 7, 8, 11, 12],
      interval: 0,
      reservedD15: 0,
    };
    return { ms: gap ? Math.max(loggedMs, ms + minuteMs) : loggedMs, code, properties };
  });
}
