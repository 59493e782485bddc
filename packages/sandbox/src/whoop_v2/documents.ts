import { addDays, dateOf, dayNumber } from '../model/calendar.ts';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Sleep } from '../kit/person/types.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';

/** A record of a collection with the time by which it is found. */
export interface Document {
  readonly id: string;
  readonly startMs: number;
  /** null while it is running. */
  readonly endMs: number | null;
  readonly body: Readonly<Record<string, unknown>>;
}

const joulesPerKilocalorie = 4.184;
const napMs = 40 * 60_000;
const sportIds = { running: 0, cycling: 1 } as const;

const iso = (ms: number) => new Date(ms).toISOString();
const kilojoules = (kcal: number) => kcal * joulesPerKilocalorie;

/** `+hh:mm`, and `Z` where it is none. */
function offsetText({ zone }: Person, ms: number): string {
  return zone.offsetMinutes(ms) === 0 ? 'Z' : zone.offsetText(ms).slice(-6);
}

/** Cycles have integers for ids. */
const cycleIdOf = (date: string) => dayNumber(date) + 70_000;
export const dateOfCycle = (id: string) => dateOf(Number(id) - 70_000);

/** A finished and scored night. */
function nightOf(account: SimAccount, date: string, sleep: Sleep): Document {
  const { person, providerUserId } = account;
  const { light, deep, rem, awake } = sleep.secondsOf;
  return {
    id: sleep.uuid,
    startMs: sleep.startMs,
    endMs: sleep.endMs,
    body: {
      id: sleep.uuid,
      cycle_id: cycleIdOf(date),
      v1_id: Number(sleep.id),
      user_id: Number(providerUserId),
      created_at: iso(sleep.endMs),
      updated_at: iso(sleep.updatedMs),
      start: iso(sleep.startMs),
      end: iso(sleep.endMs),
      timezone_offset: offsetText(person, sleep.endMs),
      nap: false,
      score_state: 'SCORED',
      score: {
        stage_summary: {
          total_in_bed_time_milli: sleep.endMs - sleep.startMs,
          total_awake_time_milli: awake * 1000,
          total_no_data_time_milli: 0,
          total_light_sleep_time_milli: light * 1000,
          total_slow_wave_sleep_time_milli: deep * 1000,
          total_rem_sleep_time_milli: rem * 1000,
          sleep_cycle_count: 3,
          disturbance_count: 12,
        },
        sleep_needed: {
          baseline_milli: 27_000_000,
          need_from_sleep_debt_milli: 352_000,
          need_from_recent_strain_milli: 208_000,
          need_from_recent_nap_milli: -12_000,
        },
        respiratory_rate: sleep.respiratoryRate,
        sleep_performance_percentage: sleep.score,
        sleep_consistency_percentage: 90,
        sleep_efficiency_percentage: sleep.efficiency + 0.7,
      },
    },
  };
}

/** Sometimes a nap that could not be scored, or has not been so far. */
function napsOf(account: SimAccount, day: PersonDay): Document[] {
  const { person, providerUserId } = account;
  const startMs = person.zone.toInstant(day.date, 14 * 3600);
  if (dayNumber(day.date) % 5 !== 0 || startMs + napMs > person.syncedMs()) return [];
  const id = uuidOf(`whoop:nap:${person.name}:${day.date}`);
  const body = {
    id,
    cycle_id: cycleIdOf(day.date),
    user_id: Number(providerUserId),
    created_at: iso(startMs + napMs),
    updated_at: iso(startMs + napMs),
    start: iso(startMs),
    end: iso(startMs + napMs),
    timezone_offset: offsetText(person, startMs),
    nap: true,
    ...(dayNumber(day.date) % 2 === 0 ? { score_state: 'UNSCORABLE', score: null } : { score_state: 'PENDING_SCORE' }),
  };
  return [{ id, startMs, endMs: startMs + napMs, body }];
}

function sleepsOf(account: SimAccount, day: PersonDay): Document[] {
  return [...day.sleeps.map((sleep) => nightOf(account, day.date, sleep)), ...napsOf(account, day)];
}

function recoveriesOf({ providerUserId }: SimAccount, day: PersonDay): Document[] {
  return day.sleeps.map((sleep) => ({
    id: sleep.uuid,
    startMs: sleep.endMs,
    endMs: sleep.endMs,
    body: {
      cycle_id: cycleIdOf(day.date),
      sleep_id: sleep.uuid,
      user_id: Number(providerUserId),
      created_at: iso(sleep.endMs),
      updated_at: iso(sleep.updatedMs),
      score_state: 'SCORED',
      score: {
        user_calibrating: false,
        recovery_score: sleep.score,
        resting_heart_rate: day.restingHr,
        hrv_rmssd_milli: sleep.hrvAverage,
        spo2_percentage: day.spo2,
        skin_temp_celsius: day.skinCelsius,
      },
    },
  }));
}

/** From falling asleep to falling asleep; from midnight where a night is missing. Still running when the next has not begun. */
function cyclesOf({ person, providerUserId }: SimAccount, day: PersonDay): Document[] {
  const night = day.sleeps[0];
  if (!night && !day.isComplete) return [];
  const next = person.day(addDays(day.date, 1));
  const startMs = night?.startMs ?? day.startMs;
  const endMs = next?.sleeps[0]?.startMs ?? (next?.isComplete === true ? next.startMs : null);
  const id = cycleIdOf(day.date);
  const body = {
    id,
    user_id: Number(providerUserId),
    created_at: iso(startMs),
    updated_at: iso(day.updatedMs),
    start: iso(startMs),
    ...(endMs !== null && { end: iso(endMs) }),
    timezone_offset: offsetText(person, startMs),
    score_state: 'SCORED',
    score: {
      strain: 8.2,
      kilojoule: kilojoules(day.activeKcal + day.basalKcal),
      average_heart_rate: day.hrAverage,
      max_heart_rate: day.hrMax,
    },
  };
  return [{ id: String(id), startMs, endMs, body }];
}

function workoutsOf({ person, providerUserId }: SimAccount, day: PersonDay): Document[] {
  return day.workouts.map((workout) => {
    const { uuid: id, startMs, endMs } = workout;
    const zoneMs = (endMs - startMs) / 5;
    const body = {
      id,
      v1_id: Number(workout.id),
      user_id: Number(providerUserId),
      created_at: iso(endMs),
      updated_at: iso(workout.updatedMs),
      start: iso(startMs),
      end: iso(endMs),
      timezone_offset: offsetText(person, startMs),
      sport_name: workout.sport,
      // Not in every response.
      ...(workout.sport !== 'walking' && { sport_id: sportIds[workout.sport] }),
      score_state: 'SCORED',
      score: {
        strain: 8.2,
        average_heart_rate: workout.hrAverage,
        max_heart_rate: workout.hrMax,
        kilojoule: kilojoules(workout.kcal),
        // A share; the documents show 100.
        percent_recorded: 1,
        distance_meter: workout.distanceM,
        altitude_gain_meter: workout.elevationM,
        altitude_change_meter: -0.8,
        zone_durations: {
          zone_zero_milli: 0,
          zone_one_milli: zoneMs,
          zone_two_milli: zoneMs,
          zone_three_milli: zoneMs,
          zone_four_milli: zoneMs,
          zone_five_milli: zoneMs,
        },
      },
    };
    return { id, startMs, endMs, body };
  });
}

/** The items of a day for each collection. */
export const collections = {
  cycle: cyclesOf,
  recovery: recoveriesOf,
  sleep: sleepsOf,
  workout: workoutsOf,
} as const satisfies Record<string, (account: SimAccount, day: PersonDay) => Document[]>;
