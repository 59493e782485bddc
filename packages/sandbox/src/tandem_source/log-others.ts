import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import type { LogEntry } from './log-entry.ts';

const sleepMode = { requestedAction: 1, spareA3: 0, sleepStartedByGui: 1, activeSleepSchedule: [0], spareB6: 0, exerciseTime: 0 };

/**
 * Glucose from a meter, once typed in and once taken from the sensor; supplies, modes, alarms; and codes that are unknown to every client.
 */
export function otherEventsOf({ zone }: Person, day: PersonDay): LogEntry[] {
  const number = dayNumber(day.date);
  const at = (hour: number, minute: number) => zone.toInstant(day.date, (hour * 60 + minute) * 60);
  const meter = { cgmCalibration: 0, bgSourceType: 0, iob: 1.25, isf: 0, targetBg: 0, selectedIob: 1 };
  const supplies: LogEntry[] =
    number % 3 === 0
      ? [
          { ms: at(9, 50), code: 33, properties: { insulinVolume: 180, v2Volume: 0 } },
          { ms: at(9, 50), code: 63, properties: { primeSize: -1, completionStatus: 3, position: 547_509 } },
          { ms: at(9, 58), code: 61, properties: { primeSize: 0.3, completionStatus: 3, infusionSetType: 0 } },
        ]
      : [];
  return [
    { ms: at(0, 0), code: 90, properties: { commandedBasalRate: 0, features: 0 } },
    { ms: at(7, 0), code: 16, properties: { bg: 105 + (number % 20), bgEntryType: 0, ...meter } },
    { ms: at(8, 9), code: 16, properties: { bg: 131, bgEntryType: 1, ...meter } },
    { ms: at(6, 45), code: 229, properties: { currentUserMode: 0, previousUserMode: 1, ...sleepMode } },
    { ms: at(10, 30), code: 5, properties: { alarmId: 18, faultLocatorData: 8311, param1: 5_228_339, param2: 0 } },
    { ms: at(11, 15), code: 9001, properties: { novelField: 'x' } },
    { ms: at(11, 16), code: 9002 },
    ...supplies,
  ];
}
