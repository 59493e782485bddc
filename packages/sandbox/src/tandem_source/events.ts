import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Person } from '../kit/person/person.ts';
import { addDays, dayNumber } from '../model/calendar.ts';
import { basalsOf } from './log-basal.ts';
import { bolusesOf } from './log-boluses.ts';
import { readingsOf } from './log-cgm.ts';
import { otherEventsOf } from './log-others.ts';
import type { LogEntry } from './log-entry.ts';
import type { Pump } from './pumps.ts';

const eventsPerDayMax = 2000;

/** The pump's clock: local, without a zone. */
export const wallClock = ({ zone }: Person, ms: number): string => zone.localText(ms).slice(0, 19);

/** Everything that the pump logged on a local day, in the order of logging, and numbered in that order. */
function entriesOn(account: SimAccount, date: string): (LogEntry & { readonly sequenceNumber: number })[] {
  const { person } = account;
  const isOfDay = ({ ms }: LogEntry) => person.zone.toLocal(ms).date === date;
  // Readings that were missed before midnight are logged after it.
  const days = person.days(addDays(date, -1), date);
  const entries = days.flatMap((day) => [
    ...readingsOf(person, day),
    ...bolusesOf(person, day),
    ...basalsOf(person, day),
    ...otherEventsOf(person, day),
  ]);
  const base = (dayNumber(date) % 1_000_000) * eventsPerDayMax;
  return entries
    .filter(isOfDay)
    .toSorted((one, other) => one.ms - other.ms)
    .map((entry, place) => ({ ...entry, sequenceNumber: base + place }))
    .filter(({ ms }) => ms <= person.syncedMs());
}

/** The log of a pump on the given days, as responses have it. */
export function eventsOf(account: SimAccount, pump: Pump, first: string, last: string): object[] {
  const { person } = account;
  const from = first < pump.firstDate ? pump.firstDate : first;
  const to = last > pump.lastDate ? pump.lastDate : last;
  const events: object[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    for (const { ms, code, properties, sequenceNumber } of entriesOn(account, date)) {
      const pumpDateTime = wallClock(person, ms);
      events.push({
        deviceAssignmentId: pump.assignmentId,
        eventCode: code,
        sequenceGroup: pump.number & 1,
        sequenceNumber,
        pumpDateTime,
        ...(properties && { eventProperties: properties }),
        // The same text with a Z, although it is not UTC.
        estimatedDateTime: `${pumpDateTime}Z`,
      });
    }
  }
  return events;
}

/** Changes of the pump's clock in its whole history: here when daylight saving starts and ends. */
export function clockChangesOf({ person }: SimAccount, pump: Pump): object[] {
  const { zone } = person;
  const changes: object[] = [];
  for (let date = pump.firstDate; date <= pump.lastDate; date = addDays(date, 1)) {
    const [startMs, endMs] = [zone.toInstant(date, 0), zone.toInstant(addDays(date, 1), 0)];
    const movedMinutes = zone.offsetMinutes(endMs) - zone.offsetMinutes(startMs);
    if (movedMinutes === 0) continue;
    const pumpDateTime = `${date}T03:00:00`;
    changes.push({
      deviceAssignmentId: pump.assignmentId,
      eventCode: 13,
      sequenceGroup: pump.number & 1,
      sequenceNumber: dayNumber(date) * eventsPerDayMax + eventsPerDayMax - 1,
      pumpDateTime,
      eventProperties: { timePrior: 10_800 - movedMinutes * 60, timeAfter: 10_800, rawRtcTime: 3 },
      estimatedDateTime: `${pumpDateTime}Z`,
    });
  }
  return changes;
}
