import type { SimAccount } from '../../kit/accounts/accounts.ts';
import type { PersonDay } from '../../kit/person/types.ts';
import { uuidOf } from '../../kit/person/uuid-of.ts';
import { dayNumber } from '../../model/calendar.ts';
import type { Fields, Point } from './data-type.ts';
import { derived, phone } from './sources.ts';
import { instantText, offsetText } from './times.ts';

const minute = 60_000;

function napFields({ person: { zone }, name }: SimAccount, date: string, startMs: number): Fields {
  const spans = [
    { type: 'ASLEEP', from: 0, to: 25 },
    { type: 'RESTLESS', from: 25, to: 28 },
    { type: 'AWAKE', from: 28, to: 30 },
    { type: 'ASLEEP', from: 30, to: 40 },
  ];
  const at = (minutes: number) => startMs + minutes * minute;
  return {
    type: 'CLASSIC',
    stages: spans.map(({ type, from, to }) => ({
      startTime: instantText(at(from)),
      startUtcOffset: offsetText(zone, at(from)),
      endTime: instantText(at(to)),
      endUtcOffset: offsetText(zone, at(to)),
      type,
    })),
    metadata: { stagesStatus: 'REJECTED_NAP', processed: true, nap: true, externalId: String(dayNumber(date)) + name.length },
    summary: { minutesInSleepPeriod: '40', minutesAsleep: '35', minutesAwake: '5', minutesToFallAsleep: '0', minutesAfterWakeUp: '0' },
  };
}

/**
 * What is slept besides the night: on every third day a nap without stages, and on every fifth a rest that another app wrote, of which
 * only its length is known.
 */
export function naps(account: SimAccount, days: readonly PersonDay[]): Point[] {
  const { person, name } = account;
  return days.flatMap(({ date }) => {
    const [napMs, restMs] = [person.zone.toInstant(date, 14 * 3600), person.zone.toInstant(date, 19 * 3600)];
    const nap = { date, startMs: napMs, endMs: napMs + 40 * minute, id: uuidOf(`${name} nap ${date}`), source: derived };
    const rest = { date, startMs: restMs, endMs: restMs + 30 * minute, id: uuidOf(`${name} rest ${date}`), source: phone, isBare: true };
    const summary = { minutesInSleepPeriod: '30', minutesAsleep: '30' };
    const all: Point[] = [
      ...(dayNumber(date) % 3 === 1 ? [{ ...nap, fields: napFields(account, date, napMs) }] : []),
      ...(dayNumber(date) % 5 === 2 ? [{ ...rest, fields: { summary } }] : []),
    ];
    return all.filter(({ endMs }) => endMs <= person.syncedMs());
  });
}
