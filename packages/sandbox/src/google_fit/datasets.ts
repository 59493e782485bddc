import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { badArgument, tooFast } from './errors.ts';
import { findStream, pointsBetween } from './streams.ts';
import { rendered, type Point } from './values.ts';

const nanosPerMs = 1_000_000n;

/** The fourth reading of every consent is one too many, without a time to wait. */
export function assertUnhurried({ grant, parts }: UserCall): void {
  const key = `readings ${grant.grantId}`;
  const count = Number(parts.memory.get(key) ?? 0) + 1;
  if (count > 4) return;
  parts.memory.set(key, count);
  if (count === 4) throw tooFast();
}

export function limitOf({ query }: UserCall): number {
  const limit = Number(query.get('limit') ?? Number.MAX_SAFE_INTEGER);
  if (!Number.isInteger(limit) || limit < 0) throw badArgument('Invalid value for limit');
  return limit === 0 ? Number.MAX_SAFE_INTEGER : limit;
}

function rangeOf({ params }: UserCall): readonly [fromMs: number, toMs: number] {
  const [, from, to] = /^(\d{1,19})-(\d{1,19})$/.exec(params['range'] ?? '') ?? [];
  if (from === undefined || to === undefined || BigInt(to) < BigInt(from)) throw badArgument('Invalid dataset ID');
  return [Number(BigInt(from) / nanosPerMs), Number(BigInt(to) / nanosPerMs)];
}

/** An empty list is left out of some people's data sets, as in the oldest ones. */
const listOf = ({ account }: UserCall, points: readonly object[]) =>
  points.length === 0 && account.person.sex === 'male' ? {} : { point: points };

/** The points of a range. A limit counts from its end, and each further page is earlier. */
export function dataset(call: UserCall): ApiResponse {
  const id = call.params['id'] ?? '';
  const stream = findStream(call, id);
  assertUnhurried(call);
  const [fromMs, toMs] = rangeOf(call);
  const points: readonly Point[] = pointsBetween(call.account, stream, fromMs, toMs);
  const limit = limitOf(call);
  const token = call.query.get('pageToken');
  const end = token === null ? points.length : Number(/^p(\d+)$/.exec(token)?.[1] ?? Number.NaN);
  if (!(end <= points.length)) throw badArgument('Invalid page token');
  const start = Math.max(0, end - limit);
  const [, from, to] = /^(\d+)-(\d+)$/.exec(call.params['range'] ?? '') ?? [];
  return {
    body: {
      minStartTimeNs: from,
      maxEndTimeNs: to,
      dataSourceId: id,
      ...listOf(
        call,
        points.slice(start, end).map((point) => rendered(point, stream.type.name)),
      ),
      ...(start > 0 && { nextPageToken: `p${start}` }),
    },
  };
}
