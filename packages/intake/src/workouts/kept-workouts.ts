import { dayMs } from '@pulsewire/kernel';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { CanonicalRecord, Summary } from '@pulsewire/contract';
import { plainArray, run, textArray, type Tx } from '@pulsewire/database';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { phoneWorkouts } from '../model/tables.ts';

/** A workout as its phone has sent it, and its time. */
export interface KeptWorkout {
  readonly workout: Summary;
  readonly startMs: number;
  readonly endMs: number;
}

export const toKept = (workout: Summary): KeptWorkout => ({
  workout,
  startMs: workout.at,
  endMs: Date.parse(String(workout.data['time_end'])),
});

export const isWorkout = (record: CanonicalRecord): record is Summary => record.kind === 'summary' && record.resource === 'workouts';

/** Remembers workouts as they were sent, and forgets those that were removed. */
export async function keepWorkouts(tx: Tx, owner: PhoneOwner, sent: readonly KeptWorkout[], goneIds: readonly string[]): Promise<void> {
  const { teamId, userId, provider } = owner;
  const isOwn = and(eq(phoneWorkouts.teamId, teamId), eq(phoneWorkouts.userId, userId), eq(phoneWorkouts.provider, provider));
  if (goneIds.length > 0) await run(tx.orm.delete(phoneWorkouts).where(and(isOwn, inArray(phoneWorkouts.workoutId, [...goneIds]))));
  const kept = [...new Map(sent.map((one) => [one.workout.id, one])).values()];
  if (kept.length === 0) return;
  const texts = (pick: (one: KeptWorkout) => string) => textArray(kept.map(pick));
  const numbers = (pick: (one: KeptWorkout) => number) => plainArray(kept.map(pick));
  await tx.sql`
    INSERT INTO phone_workouts (workout_id, user_id, provider, team_id, app_id, start_at, end_at, summary)
    SELECT i.id::uuid, ${userId}::uuid, ${provider}, ${teamId}::uuid, i.app_id, to_timestamp(i.start_ms / 1000), to_timestamp(i.end_ms / 1000), i.summary::jsonb
    FROM unnest(${texts(({ workout }) => workout.id)}::text[], ${texts(({ workout }) => workout.source.appId ?? '')}::text[],
      ${numbers(({ startMs }) => startMs)}::float8[], ${numbers(({ endMs }) => endMs)}::float8[],
      ${texts(({ workout }) => JSON.stringify(workout))}::text[]) AS i(id, app_id, start_ms, end_ms, summary)
    ON CONFLICT (workout_id) DO UPDATE SET app_id = excluded.app_id, start_at = excluded.start_at, end_at = excluded.end_at, summary = excluded.summary`;
}

/** The workouts that overlap a time; longer ones than a day are not looked for. */
export async function readKept({ orm }: Tx, owner: PhoneOwner, fromMs: number, toMs: number): Promise<readonly KeptWorkout[]> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const { teamId, userId, provider, startAt, endAt } = phoneWorkouts;
  const isOwn = and(eq(teamId, owner.teamId), eq(userId, owner.userId), eq(provider, owner.provider));
  const isThere = sql`${startAt} >= ${iso(fromMs - dayMs)}::timestamptz AND ${startAt} <= ${iso(toMs)}::timestamptz AND ${endAt} >= ${iso(fromMs)}::timestamptz`;
  const rows = await run(orm.select().from(phoneWorkouts).where(and(isOwn, isThere)));
  return rows.map(({ summary }) => toKept(summary as Summary));
}
