import { dayNumber } from '../model/calendar.ts';
import { hash32 } from '../model/seeded.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { spanOf, type Summary } from './summaries.ts';

const sessionSeconds = 120;

/** One reading a second, both ends included, as in recorded snapshots. */
function perSecond(type: string, around: number, decimals = 0): Summary {
  const values = Array.from({ length: sessionSeconds + 1 }, (_, second) => Number((around + ((second * 7) % 5) - 2).toFixed(decimals)));
  return {
    summaryType: type,
    minValue: Math.min(...values),
    maxValue: Math.max(...values),
    avgValue: around,
    epochSummaries: Object.fromEntries(values.map((value, second) => [String(second), value])),
  };
}

/**
 * A session before noon on every third day, in the shape of recorded ones: the offset under a name that no other summary uses, both
 * variabilities as averages only. On every ninth day the sensor lost the skin, so breathing has no readings.
 */
export function snapshotsOf(account: SimAccount, day: PersonDay): Summary[] {
  const startMs = account.person.zone.toInstant(day.date, 11 * 3600 + (hash32(day.date) % 600));
  const endMs = startMs + sessionSeconds * 1000;
  if (dayNumber(day.date) % 3 !== 1 || endMs > account.person.syncedMs()) return [];
  const { startTimeOffsetInSeconds, ...span } = spanOf(account, 'snapshot', startMs, endMs);
  const hrv = 38 + (dayNumber(day.date) % 11);
  const isLoose = dayNumber(day.date) % 9 === 1;
  return [
    {
      ...span,
      calendarDate: day.date,
      offsetStartTimeInSeconds: startTimeOffsetInSeconds,
      summaries: [
        perSecond('heart_rate', day.restingHr + 8),
        isLoose ? { summaryType: 'respiration', epochSummaries: { '0': -2, '1': -2 } } : perSecond('respiration', 14.25, 2),
        perSecond('stress', 30),
        perSecond('spo2', 97),
        { summaryType: 'rmssd_hrv', avgValue: hrv },
        { summaryType: 'sdrr_hrv', avgValue: hrv + 14 },
      ],
    },
  ];
}
