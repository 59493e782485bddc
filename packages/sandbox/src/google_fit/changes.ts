import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { badArgument } from './errors.ts';
import { limitOf } from './datasets.ts';
import { findStream, pointsBetween } from './streams.ts';
import { rendered, type Point } from './values.ts';

const keptMs = 3 * 86_400_000;

/** What a token of the last poll stands for: when and up to where was read, and which points of the last days there were. */
interface Mark {
  readonly token: string;
  readonly syncedMs: number;
  readonly atMs: number;
  readonly points: readonly Point[];
}

const keyOf = ({ startMs, endMs, origin }: Point) => `${startMs}-${endMs} ${origin}`;

/** Points that were added or changed since a token, and those of the last days that are gone. Without a token: the latest ones. */
export function changes(call: UserCall): ApiResponse {
  const { account, parts, query, params } = call;
  const id = params['id'] ?? '';
  const stream = findStream(call, id);
  const syncedMs = account.person.syncedMs();
  const recent = pointsBetween(account, stream, syncedMs - keptMs, syncedMs + 1);
  const memoryKey = `changes ${account.name} ${id}`;
  const mark = parts.memory.get(memoryKey) as Mark | undefined;
  const given = query.get('pageToken');
  if (given !== null && !/^\d+$/.test(given)) throw badArgument('Invalid page token');
  const known = given !== null && mark?.token === given ? mark : undefined;
  const isNew = (point: Point) => known === undefined || point.endMs > known.syncedMs || point.modifiedMs > known.atMs;
  const present = new Set(recent.map(keyOf));
  const deleted = known?.points.filter((point) => point.startMs >= syncedMs - keptMs && !present.has(keyOf(point))) ?? [];
  const token = String(Math.max(parts.clock.wallMs(), Number(given ?? 0)));
  parts.memory.set(memoryKey, { token, syncedMs, atMs: parts.clock.wallMs(), points: recent } satisfies Mark);
  const list = (points: readonly Point[]) => points.map((point) => rendered(point, stream.type.name));
  return {
    body: {
      dataSourceId: id,
      insertedDataPoint: list(recent.filter(isNew).slice(-limitOf(call))),
      deletedDataPoint: list(deleted),
      nextPageToken: token,
    },
  };
}
