import type { SimAccount } from '../kit/accounts/accounts.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { addDays, dateOf, dayNumber } from '../model/calendar.ts';

/** Every hundred days the person gets a new pump; one of them on 2026-03-09. */
const pumpDays = 100;
const swapDay = dayNumber('2026-03-09');

/** A pump and the days on which it was worn. */
export interface Pump {
  readonly number: number;
  readonly assignmentId: string;
  readonly firstDate: string;
  readonly lastDate: string;
}

export const pumpNumberOn = (date: string): number => Math.floor((dayNumber(date) - swapDay) / pumpDays);

function pumpOf({ name, person }: SimAccount, number: number): Pump {
  const first = dateOf(swapDay + number * pumpDays);
  const last = addDays(first, pumpDays - 1);
  return {
    number,
    assignmentId: uuidOf(`pump ${name} ${number}`),
    firstDate: first < person.firstDate ? person.firstDate : first,
    lastDate: last > person.today() ? person.today() : last,
  };
}

/** Every pump that the person has worn, newest first. */
export function pumpsOf(account: SimAccount): readonly Pump[] {
  const { person } = account;
  const [first, last] = [pumpNumberOn(person.firstDate), pumpNumberOn(person.today())];
  return Array.from({ length: last - first + 1 }, (_, place) => pumpOf(account, last - place));
}

const unused = { availableDataRange: { start: null, end: null }, glucoseUnit: null, lastUploadDate: null, settings: null };

/** Pumps of the account that the person never used: one without dates, one with a date in the future. */
export function unusedPumps({ name }: SimAccount): readonly object[] {
  const common = { modelNumber: '1000096', modelName: 't:slim X2™ Insulin Pump', partNumber: '1003314', softwareVersion: '6.0.3.0' };
  return [
    {
      ...common,
      ...unused,
      assignmentId: uuidOf(`pump ${name} spare`),
      serialNumber: '514387',
      algorithm: 'Basal-IQ',
      maxDateOfEvents: null,
    },
    {
      ...common,
      ...unused,
      assignmentId: uuidOf(`pump ${name} odd`),
      serialNumber: '514388',
      availableDataRange: null,
      maxDateOfEvents: '2035-01-01T00:00:00',
    },
  ];
}

/** A worn pump as the list has it. */
export function shownPump({ person }: SimAccount, { number, assignmentId, firstDate, lastDate }: Pump): object {
  const { zone } = person;
  const endMs = Math.min(person.syncedMs(), zone.toInstant(addDays(lastDate, 1), 0) - 1000);
  const end = zone.localText(endMs).slice(0, 19);
  const isMobi = number % 2 === 0;
  const segment = { startTime: 0, basalRate: 800, isf: 45, carbRatio: 9, targetBg: 110 };
  const profiles = { activeIdp: 0, profile: [{ idp: 0, name: 'Weekday', timeDependentSegments: [segment] }] };
  return {
    algorithm: 'Control-IQ',
    availableDataRange: { start: `${firstDate}T00:00:00`, end },
    assignmentId,
    glucoseUnit: null,
    lastUploadDate: `${new Date(endMs).toISOString().slice(0, 19)}Z`,
    maxDateOfEvents: end,
    modelNumber: isMobi ? '1004000' : '1000354',
    modelName: isMobi ? 'Tandem Mobi™ System' : 't:slim X2™ Insulin Pump',
    partNumber: '1011979',
    serialNumber: String(90_556_643 + number),
    softwareVersion: '7.8.0.0',
    lastUploadClientType: 'mobile_tconnect',
    settings: { id: uuidOf(`settings ${assignmentId}`), deviceAssignmentId: assignmentId, details: { profiles } },
  };
}
