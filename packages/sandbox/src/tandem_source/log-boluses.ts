import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import type { LogEntry } from './log-entry.ts';

const idsMax = 65_536;
/** Ids start again at 0 on this day. */
const wrapDay = dayNumber('2026-03-10');
const idsPerDay = 6;

interface Request {
  readonly id: number;
  readonly atMs: number;
  readonly carbs: number;
  readonly food: number;
  readonly correction: number;
  readonly extendedMinutes: number;
}

const milli = (units: number) => Math.round(units * 1000);

/** The three messages of a request. */
function requestOf({ id, atMs, carbs, food, correction, extendedMinutes }: Request): LogEntry[] {
  const isExtended = extendedMinutes > 0;
  const common = { bolusId: id };
  return [
    {
      ms: atMs,
      code: 64,
      properties: {
        ...common,
        bolusType: carbs > 0 ? 1 : 0,
        correctionBolusIncluded: correction > 0 ? 1 : 0,
        carbAmount: carbs,
        bg: 131,
        iob: 0.06,
        carbRatio: 0,
      },
    },
    {
      ms: atMs,
      code: 65,
      properties: {
        ...common,
        options: isExtended ? 5 : 4,
        standardPercent: isExtended ? 25 : 100,
        duration: extendedMinutes,
        spareB6: 0,
        isf: 0,
        targetBg: 0,
        userOverride: 0,
        declinedCorrection: 0,
        selectedIob: 1,
      },
    },
    {
      ms: atMs,
      code: 66,
      properties: { ...common, spareA2: 0, foodBolusSize: food, correctionBolusSize: correction, totalBolusSize: food + correction },
    },
  ];
}

/** Start and end of a delivery. `deliveredShare`: less than 1 when it was aborted, with the status `status`. */
function deliveryOf(
  id: number,
  atMs: number,
  units: number,
  how: { readonly source: number; readonly types: readonly number[]; readonly status?: number; readonly deliveredShare?: number },
): LogEntry[] {
  const { source, types, status = 3, deliveredShare = 1 } = how;
  const delivered = Math.round(units * deliveredShare * 100_000) / 100_000;
  const at = {
    bolusId: id,
    bolusType: types,
    bolusSource: source,
    remoteId: 76,
    requestedNow: milli(units),
    requestedLater: 0,
    correction: 0,
    extendedDurationRequested: 0,
  };
  const endMs = atMs + 91_000;
  return [
    { ms: atMs, code: 55, properties: { bolusId: id, selectedIob: 1, spareA3: 0, iob: 0.059388563, bolusSize: units } },
    { ms: atMs, code: 280, properties: { ...at, bolusDeliveryStatus: 1, deliveredTotal: 0 } },
    { ms: endMs, code: 280, properties: { ...at, bolusDeliveryStatus: 0, deliveredTotal: milli(delivered) } },
    {
      ms: endMs,
      code: 20,
      properties: { completionStatus: status, bolusId: id, iob: 3.1993885, insulinDelivered: delivered, insulinRequested: units },
    },
  ];
}

/** The later part of an extended bolus, which the person sometimes stops. */
function extendedOf(id: number, startMs: number, units: number, minutes: number, isAborted: boolean): LogEntry[] {
  const endMs = startMs + (isAborted ? minutes / 2 : minutes) * 60_000;
  return [
    { ms: startMs, code: 59, properties: { bolusId: id, selectedIob: 1, spareA3: 0, iob: 10.65024, bolexSize: units } },
    {
      ms: endMs,
      code: 21,
      properties: {
        completionStatus: isAborted ? 0 : 3,
        bolusId: id,
        iob: 9.066635,
        insulinDelivered: isAborted ? units / 2 : units,
        insulinRequested: units,
      },
    },
  ];
}

/** The boluses of a day: meals, one of them extended every second day, a correction, an automatic one, one aborted and one rejected. */
export function bolusesOf({ zone }: Person, day: PersonDay): LogEntry[] {
  const number = dayNumber(day.date);
  const idOf = (place: number) => ((((number - wrapDay) * idsPerDay + place) % idsMax) + idsMax) % idsMax;
  const at = (hour: number, minute: number) => zone.toInstant(day.date, (hour * 60 + minute) * 60);
  const extendedMinutes = number % 2 === 0 ? 120 : 0;
  const request = (id: number, atMs: number, over: Partial<Request>) =>
    requestOf({ id, atMs, carbs: 0, food: 0, correction: 0, extendedMinutes: 0, ...over });
  const lunchMs = at(12, 40);
  const lunchNow = extendedMinutes > 0 ? 1.25 : 5;
  return [
    // A meal with a correction.
    ...request(idOf(0), at(8, 10), { carbs: 35, food: 2.5, correction: 0.64 }),
    ...deliveryOf(idOf(0), at(8, 10) + 15_000, 3.14, { source: 8, types: [0, 3, 4] }),
    ...request(idOf(1), lunchMs, { carbs: 50, food: 5, extendedMinutes }),
    ...deliveryOf(idOf(1), lunchMs + 15_000, lunchNow, { source: 1, types: [0, 1, 4] }),
    ...(extendedMinutes > 0 ? extendedOf(idOf(1), lunchMs + 106_000, 3.75, extendedMinutes, number % 4 === 0) : []),
    // By the algorithm, without a request.
    ...deliveryOf(idOf(2), at(16, 5), 0.73, { source: 7, types: [0, 3] }),
    // Aborted after a moment, and rejected before it started.
    ...request(idOf(3), at(17, 30), { food: 0.5 }),
    ...deliveryOf(idOf(3), at(17, 30) + 15_000, 0.5, { source: 0, types: [0], status: 0, deliveredShare: 0.09314 }),
    ...request(idOf(4), at(18, 0), { correction: 0.4 }),
    ...deliveryOf(idOf(4), at(18, 0) + 15_000, 0.4, { source: 0, types: [0, 3], status: 5, deliveredShare: 0 }),
    // A dinner shortly before midnight every third day: its end is on the next day.
    ...(number % 3 === 1
      ? [
          ...request(idOf(5), at(23, 59), { carbs: 15, food: 1.5 }),
          ...deliveryOf(idOf(5), at(23, 59) + 15_000, 1.5, { source: 8, types: [0, 4] }),
        ]
      : []),
  ];
}
