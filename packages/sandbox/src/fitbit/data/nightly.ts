import { between, unitOf } from '../../model/seeded.ts';
import type { Account } from '../accounts/types.ts';
import { sleepsOf, type SleepLog } from './sleep/sleep.ts';
import { round, toTemperatureDelta, type Units } from './units.ts';

/**
 * Data that the volunteers' trackers did not measure. Every value here is made up: the same account and date always give the same
 * value, in a plausible range, and only for nights that were recorded. Nothing may be concluded from them.
 */

const sampleMinutes = 5;
const seedOf = (account: Account, what: string, date: string) => `${what}:${account.ownerId}:${date}`;
const madeUp = (seed: string, low: number, high: number, digits: number) => round(low + unitOf(seed) * (high - low), digits);

/** Entries for the dates that have a main sleep. */
function perNight<T>(account: Account, dates: readonly string[], make: (date: string, sleep: SleepLog) => T): T[] {
  return dates.flatMap((date) => {
    const sleep = sleepsOf(account, date).find((log) => log.isMainSleep);
    return sleep ? [make(date, sleep)] : [];
  });
}

function minutesOf(account: Account, sleep: SleepLog): { minute: string; seed: string }[] {
  const startMs = account.zone.toInstant(sleep.startTime.slice(0, 10), secondOf(sleep.startTime));
  return Array.from({ length: Math.floor(sleep.timeInBed / sampleMinutes) }, (_, place) => {
    const minute = account.zone.localText(Math.ceil(startMs / 60_000) * 60_000 + place * sampleMinutes * 60_000);
    return { minute, seed: `${account.ownerId}:${minute}` };
  });
}

function secondOf(localText: string): number {
  return Number(localText.slice(11, 13)) * 3600 + Number(localText.slice(14, 16)) * 60 + Number(localText.slice(17, 19));
}

export const hrvDays = (account: Account, dates: readonly string[]) =>
  perNight(account, dates, (dateTime) => {
    const dailyRmssd = madeUp(seedOf(account, 'hrv', dateTime), 24, 62, 3);
    return { dateTime, value: { dailyRmssd, deepRmssd: round(dailyRmssd * 0.93, 3) } };
  });

export const hrvMinutes = (account: Account, dates: readonly string[]) =>
  perNight(account, dates, (dateTime, sleep) => ({
    dateTime,
    minutes: minutesOf(account, sleep).map(({ minute, seed }) => ({
      minute,
      value: { rmssd: madeUp(`rmssd:${seed}`, 18, 75, 3), coverage: madeUp(`coverage:${seed}`, 0.85, 1, 3), hf: madeUp(`hf:${seed}`, 80, 900, 3), lf: madeUp(`lf:${seed}`, 150, 1200, 3) },
    })),
  }));

export const spo2Days = (account: Account, dates: readonly string[]) =>
  perNight(account, dates, (dateTime) => {
    const avg = madeUp(seedOf(account, 'spo2', dateTime), 95, 98, 1);
    return { dateTime, value: { avg, min: round(avg - 2.5, 1), max: Math.min(100, round(avg + 1.8, 1)) } };
  });

export const spo2Minutes = (account: Account, dates: readonly string[]) =>
  perNight(account, dates, (dateTime, sleep) => ({
    dateTime,
    minutes: minutesOf(account, sleep).map(({ minute, seed }) => ({ minute: minute.slice(0, 19), value: madeUp(`spo2:${seed}`, 93.5, 99, 1) })),
  }));

export const breathingDays = (account: Account, dates: readonly string[]) =>
  perNight(account, dates, (dateTime) => ({ dateTime, value: { breathingRate: madeUp(seedOf(account, 'br', dateTime), 12, 18, 1) } }));

export const breathingByStage = (account: Account, dates: readonly string[]) =>
  perNight(account, dates, (dateTime) => {
    const breathingRate = madeUp(seedOf(account, 'br', dateTime), 12, 18, 1);
    const summary = (stage: string, delta: number) => ({ [`${stage}SleepSummary`]: { breathingRate: round(breathingRate + delta, 1) } });
    return { dateTime, value: { ...summary('deep', -0.4), ...summary('rem', 0.6), ...summary('light', 0.1), ...summary('full', 0) } };
  });

export const skinTemperatureDays = (account: Account, dates: readonly string[], units: Units) =>
  perNight(account, dates, (dateTime) => ({
    dateTime,
    logType: 'dedicated_temp_sensor',
    value: { nightlyRelative: round(toTemperatureDelta(madeUp(seedOf(account, 'skin', dateTime), -0.9, 0.9, 1), units), 1) },
  }));

/** A range as text: the provider reports a single number only for runs with GPS. */
export const cardioScoreDays = (account: Account, dates: readonly string[]) =>
  perNight(account, dates, (dateTime) => {
    const low = between(`vo2:${account.ownerId}`, 32, 48);
    return { dateTime, value: { vo2Max: `${low}-${low + 4}` } };
  });
