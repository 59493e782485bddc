import { minuteMs } from '@pulsewire/kernel';
import { dayNumber } from '../model/calendar.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';

/** A record of a collection with the instant by which it is found. */
export interface DexcomRecord {
  readonly ms: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const transmitter = 'a'.repeat(64);

/** Offsets may have seconds or lack minutes: `-04:00:29`, `-04`. */
function oddOffset(offset: string, minuteOfHour: number): string {
  if (minuteOfHour === 25) return `${offset}:29`;
  return minuteOfHour === 45 && offset.endsWith(':00') ? offset.slice(0, 3) : offset;
}

/** Phones write offsets, sometimes without seconds; the receiver, used in the early morning, writes times without an offset. */
function times({ zone }: Person, ms: number): Readonly<Record<string, unknown>> {
  const utc = new Date(ms).toISOString().slice(0, 19);
  const { minute } = zone.toLocal(ms);
  if (minute >= 180 && minute < 240) {
    return { systemTime: utc, displayTime: zone.localText(ms).slice(0, 19), displayDevice: 'receiver' };
  }
  const isShort = ms % minuteMs === 0 && minute % 60 === 5;
  const offset = oddOffset(zone.offsetText(ms).slice(-6), minute % 60);
  const local = zone.localText(ms);
  return {
    systemTime: isShort ? `${utc.slice(0, 16)}Z` : `${utc}Z`,
    displayTime: `${local.slice(0, isShort ? 16 : 19)}${offset}`,
    displayDevice: 'iOS',
  };
}

function made(person: Person, kind: string, ms: number, body: Readonly<Record<string, unknown>>): DexcomRecord {
  const recordId = uuidOf(`dexcom:${kind}:${person.name}:${ms}`);
  const sensor = { transmitterId: transmitter, transmitterGeneration: 'g7' };
  return { ms, body: { recordId, ...times(person, ms), ...sensor, ...body } };
}

/** Every reading in mg/dL; sometimes the sensor has no value, and once a day the account's other unit is used. */
export function egvsOf(person: Person, day: PersonDay): DexcomRecord[] {
  return day.glucose.map(({ ms, value }) => {
    // By time of day, so that other data of the day changes no reading.
    const index = Math.floor((ms - day.startMs) / (5 * minuteMs));
    const isOther = index === 7;
    return made(person, 'egv', ms, {
      transmitterTicks: Math.floor(ms / 1000) % 10_000_000,
      value: index % 97 === 50 ? null : isOther ? Math.round((value / 18.0182) * 10) / 10 : value,
      unit: isOther ? 'mmol/L' : 'mg/dL',
      trend: 'flat',
      trendRate: -0.2,
      rateUnit: 'mg/dL/min',
      status: 'ok',
    });
  });
}

/** A valid form of an insulin event, without its kind. */
function withoutSubType({ ms, body }: DexcomRecord): DexcomRecord {
  return { ms, body: Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'eventSubType')) };
}

/**
 * A day's diary: two meals with insulin, a basal dose, insulin of an unnamed kind, a fingerstick, workouts with and without a
 * duration, a note on well-being, and a deleted entry.
 */
export function eventsOf(person: Person, day: PersonDay): DexcomRecord[] {
  const at = (hour: number, minute: number): number => person.zone.toInstant(day.date, hour * 3600 + minute * 60);
  const event = (
    hour: number,
    minute: number,
    type: string,
    subType: string | null,
    value: string | null,
    unit: string,
    status = 'created',
  ) => made(person, type, at(hour, minute), { eventStatus: status, eventType: type, eventSubType: subType, value, unit });
  return [
    event(8, 0, 'bloodGlucose', null, String(90 + (day.restingHr % 20)), 'mg/dL'),
    event(8, 10, 'carbs', null, String(30 + (day.restingHr % 30)), 'grams', 'updated'),
    event(8, 12, 'insulin', 'fastActing', '4.5', 'units'),
    event(12, 30, 'carbs', null, '62', 'grams'),
    event(12, 31, 'insulin', 'fastActing', '6', 'units'),
    event(13, 0, 'carbs', null, '15', 'grams', 'deleted'),
    event(15, 0, 'health', 'stress', null, 'unknown'),
    event(16, 0, 'notes', null, 'Changed the sensor', 'unknown'),
    event(22, 0, 'insulin', 'longActing', '12', 'units'),
    withoutSubType(event(22, 30, 'insulin', null, '1.5', 'units')),
    event(18, 30, 'exercise', 'light', '-1', 'minutes'),
    event(19, 0, 'exercise', 'heavy', dayNumber(day.date) % 2 === 0 ? '' : null, 'minutes'),
    ...day.workouts.map((workout) =>
      made(person, 'exercise', workout.startMs, {
        eventStatus: 'created',
        eventType: 'exercise',
        eventSubType: 'medium',
        value: String((workout.endMs - workout.startMs) / minuteMs),
        unit: 'minutes',
      }),
    ),
  ];
}

/** One calibration a day. */
export function calibrationsOf(person: Person, day: PersonDay): DexcomRecord[] {
  return [made(person, 'calibration', person.zone.toInstant(day.date, 9 * 3600), { unit: 'mg/dL', value: 110, transmitterTicks: 1 })];
}
