import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { bucketsOf, isFields, type Bucket } from './buckets.ts';
import { findType } from './data-types.ts';
import { assertUnhurried } from './datasets.ts';
import { badArgument, noScope, noSource, noStreamToAggregate } from './errors.ts';
import { pointOfWorkout } from './movement-points.ts';
import { findStream, hasType, mergedStream, pointsBetween, type Stream } from './streams.ts';
import { aggregatedName, combined } from './summarise.ts';
import { rendered, type Point } from './values.ts';

const rangeMsMax = 7_776_000_000;

function instantOf(value: unknown): number {
  const ms = typeof value === 'string' ? Number(value || Number.NaN) : value;
  if (typeof ms !== 'number' || !Number.isInteger(ms)) throw badArgument('Invalid start or end time');
  return ms;
}

/** The stream of a row; of a type and a source the source counts. One bad row fails the whole call. */
function streamOf(call: UserCall, row: unknown): Stream {
  const { dataTypeName, dataSourceId } = isFields(row) ? row : {};
  const name = typeof dataSourceId === 'string' ? (dataSourceId.split(':')[1] ?? '') : typeof dataTypeName === 'string' ? dataTypeName : '';
  const type = findType(name);
  if (!type) throw noSource(name);
  if (!call.grant.scopes.includes(type.scope)) throw noScope(`Cannot read data of type ${name}`);
  if (!hasType(call.account, type)) throw typeof dataSourceId === 'string' ? noStreamToAggregate(dataSourceId) : noSource(name);
  return typeof dataSourceId === 'string' ? findStream(call, dataSourceId) : mergedStream(type);
}

/** A bucket of exactly a workout's time holds that workout's own figures. */
function ownPoint({ account: { person } }: UserCall, { startMs, endMs }: Bucket, name: string): Point | undefined {
  const { date } = person.zone.toLocal(startMs);
  const workout = person.day(date)?.workouts.find((known) => known.startMs === startMs && known.endMs === endMs);
  return workout && pointOfWorkout(workout, name);
}

function datasetOf(call: UserCall, bucket: Bucket, { type }: Stream, points: readonly Point[]): object {
  const name = aggregatedName(type);
  const own = ownPoint(call, bucket, type.name);
  const inside = points.filter(({ startMs }) => startMs >= bucket.startMs && startMs < bucket.endMs);
  const found = own ? [own] : combined(type, inside);
  return {
    dataSourceId: `derived:${name}:com.google.android.gms:aggregated`,
    point: found.map((point) => rendered(point, name, true)),
  };
}

/** A data set for each row of the request in every bucket, also in empty ones. */
export function aggregate(call: UserCall): ApiResponse {
  assertUnhurried(call);
  const { json } = call;
  if (!isFields(json)) throw badArgument('Parse Error');
  const rows = json['aggregateBy'];
  if (!Array.isArray(rows) || rows.length === 0) throw badArgument('Require at least one aggregateby');
  const [fromMs, toMs] = [instantOf(json['startTimeMillis']), instantOf(json['endTimeMillis'])];
  if (toMs <= fromMs) throw badArgument('start time must be before end time');
  if (toMs - fromMs > rangeMsMax) throw badArgument('aggregate duration too large');
  const series = rows.map((row: unknown) => {
    const stream = streamOf(call, row);
    return { stream, points: pointsBetween(call.account, stream, fromMs, toMs) };
  });
  const bucket = bucketsOf(call, json, fromMs, toMs).map((found) => ({
    ...found.facts,
    startTimeMillis: String(found.startMs),
    endTimeMillis: String(found.endMs),
    dataset: series.map(({ stream, points }) => datasetOf(call, found, stream, points)),
  }));
  return { body: { bucket } };
}
