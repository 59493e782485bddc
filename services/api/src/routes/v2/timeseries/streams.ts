import { getUser } from '@pulsewire/connections';
import {
  openStream,
  WorkoutStreamBody,
  type PackedColumn,
  createSampleWriter,
  SleepParams,
  SleepStreamBody,
  sleepStreamSeries,
  stageSamples,
  timeseriesResource,
  WorkoutParams,
} from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import { findSleep, stateOfSamples, type FoundSleep, readWorkoutStream } from '@pulsewire/store';
import type { KeyContext } from '../../../context/context.ts';
import { jsonArray, jsonObject } from '../../../render/json-chunks.ts';
import type { Chunks } from '../../../route/chunks.ts';
import { defineRoute, streamed } from '../../../route/route.ts';
import { sampleTexts } from './series-window.ts';

const valuesPerChunk = 4096;

type Columns = ReturnType<typeof openStream>;
type ColumnName = Columns extends ReadonlyMap<infer Name, unknown> ? Name : never;

async function* textsOf(name: ColumnName, column: PackedColumn | undefined): AsyncGenerator<readonly string[]> {
  // Stored as the provider sent it, but the response contains whole beats.
  const round = name === 'heartrate';
  for (const values of column?.chunks(valuesPerChunk) ?? []) {
    yield values.map((value) => (value === null ? 'null' : String(round ? Math.round(value) : value)));
  }
}

/** The response for a stored workout stream, in chunks; null: the workout has none. */
function workoutStreamChunks(packed: Buffer | null): Chunks {
  const columns: Columns = packed === null ? new Map() : openStream(packed);
  const names = Object.keys(WorkoutStreamBody.properties) as ColumnName[];
  return jsonObject(names.map((name) => [name, jsonArray(textsOf(name, columns.get(name)))] as const));
}

const sleepNotFound = () => new AppError({ code: 'sleep_not_found', kind: 'not_found', message: 'Sleep not found' });

async function* stageTexts({ cycles }: FoundSleep): AsyncGenerator<readonly string[]> {
  yield cycles.flatMap(stageSamples).map(createSampleWriter(timeseriesResource('hypnogram'), undefined));
}

const windowOf = ({ userId, source, startMs, stopMs }: FoundSleep) => ({
  userId,
  provider: source.provider,
  fromMs: startMs,
  toMs: stopMs,
});

/** Changes with the samples of the night, its bounds and its stages. */
async function stateOf({ database, team }: KeyContext, sleep: FoundSleep): Promise<string> {
  const states = await Promise.all(
    sleepStreamSeries.map((resource) => stateOfSamples(database, { ...windowOf(sleep), teamId: team.teamId, resource })),
  );
  return JSON.stringify([states, sleep]);
}

export const readSleepStreamRoute = defineRoute({
  method: 'GET',
  path: '/v2/timeseries/sleep/{sleep_id}/stream',
  operationId: 'readSleepStream',
  area: 'timeseries',
  auth: 'key',
  summary: 'Read the stream of a sleep',
  description:
    'Heart rate, heart-rate variability, respiratory rate and sleep stages from bedtime_start to bedtime_stop, from the provider of the sleep.',
  params: SleepParams,
  responses: { 200: { description: 'The stream; a series without samples in that night is empty.', schema: SleepStreamBody } },
  failures: [404],
  async handler(context, { params }) {
    const { teamId } = context.team;
    const sleep = await findSleep(context.database, { teamId, sleepId: params.sleep_id });
    if (sleep === undefined) throw sleepNotFound();
    await getUser(context.database, teamId, sleep.userId);
    const members = [
      ...sleepStreamSeries.map((name) => [name, jsonArray(sampleTexts(context, timeseriesResource(name), windowOf(sleep)))] as const),
      ['hypnogram', jsonArray(stageTexts(sleep))] as const,
    ];
    return streamed(jsonObject(members), await stateOf(context, sleep), { userId: sleep.userId });
  },
});

const workoutNotFound = () => new AppError({ code: 'workout_not_found', kind: 'not_found', message: 'Workout not found' });

export const readWorkoutStreamRoute = defineRoute({
  method: 'GET',
  path: '/v2/timeseries/workouts/{workout_id}/stream',
  operationId: 'readWorkoutStream',
  area: 'timeseries',
  auth: 'key',
  summary: 'Read the stream of a workout',
  description: 'Parallel arrays over `time`; null where a sensor has no value. A workout without a stream has empty arrays.',
  params: WorkoutParams,
  responses: { 200: { description: 'The stream.', schema: WorkoutStreamBody } },
  failures: [404],
  async handler({ database, team }, { params }) {
    const found = await readWorkoutStream(database, { teamId: team.teamId, workoutId: params.workout_id });
    if (found === undefined) throw workoutNotFound();
    await getUser(database, team.teamId, found.userId);
    return streamed(workoutStreamChunks(found.packed), found.state, { userId: found.userId });
  },
});
