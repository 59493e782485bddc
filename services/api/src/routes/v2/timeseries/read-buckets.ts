import { getUser } from '@pulsewire/connections';
import {
  bucketAggregates,
  bucketFields,
  BucketsBody,
  bucketSizes,
  renderDateTime,
  timeseriesResource,
  UserParams,
} from '@pulsewire/contract';
import { readBuckets, type SampleBucket } from '@pulsewire/store';
import { Type } from 'typebox';
import { defineRoute, ok } from '../../../route/route.ts';
import { windowFields } from '../../../schemas/window.ts';
import { orderedBounds } from '../../../validate/ordered-bounds.ts';
import { instants, type WindowQuery } from '../../../validate/read-window.ts';
import { fieldError } from '../../../validate/validate-request.ts';

/** Samples of more days are not aggregated at once. */
const longestMs = 31 * 86_400_000;
const bucketsMax = 1500;
/** Of all sources together. */
const rowsMax = 20_000;

const BucketsQuery = Type.Object({ ...bucketFields, ...windowFields }, { title: 'SampleBucketsQuery', additionalProperties: false });

function bounds(query: WindowQuery & { readonly bucket: keyof typeof bucketSizes }, now: Date) {
  const wrong = orderedBounds(query, now);
  if (wrong.length > 0) return wrong;
  const { fromMs, toMs } = instants(query, now);
  if (toMs - fromMs > longestMs) return [fieldError(['query', 'start_date'], 'Must be at most 31 days before end_date', query.start_date)];
  return (toMs - fromMs) / bucketSizes[query.bucket] > bucketsMax
    ? [fieldError(['query', 'bucket'], `Must be longer: the window has more than ${bucketsMax} buckets`, query.bucket)]
    : [];
}

/** Samples of a series, thinned: what a chart needs of a day. */
export const readBucketsRoute = defineRoute({
  method: 'GET',
  path: '/v2/timeseries/{user_id}/buckets',
  operationId: 'readSampleBuckets',
  area: 'timeseries',
  auth: 'key',
  summary: 'Read a series thinned into buckets of equal length',
  description:
    'Count, minimum, average, maximum and sum of the samples that begin in each bucket; the first bucket begins with the window, which is at most 31 days and 1,500 buckets long. Gaps stay gaps.',
  params: UserParams,
  query: BucketsQuery,
  responses: { 200: { description: 'The buckets of each source.', schema: BucketsBody } },
  failures: [404],
  refine: ({ query }, { clock }) => bounds(query, clock.now()),
  async handler(context, { params, query }) {
    const { teamId } = context.team;
    await getUser(context.database, teamId, params.user_id);
    const { fromMs, toMs } = instants(query, context.clock.now());
    const row = timeseriesResource(query.resource);
    const bucketMs = bucketSizes[query.bucket];
    const wanted = {
      teamId,
      userId: params.user_id,
      resource: row.name,
      provider: query.provider ?? '',
      fromMs,
      toMs,
      bucketMs,
      limit: rowsMax,
    };
    const buckets = await readBuckets(context.database, wanted);
    const shown = new Set<string>(query.aggregate ?? bucketAggregates);
    const groups = [...Map.groupBy(buckets, (one) => JSON.stringify([one.provider, one.sourceType, one.subKind])).values()].map((list) => ({
      provider: list[0]?.provider,
      source_type: list[0]?.sourceType,
      type: list[0]?.subKind || null,
      data: list.map((bucket) => ({ start: renderDateTime(fromMs + bucket.nth * bucketMs), ...numbersOf(bucket, shown) })),
    }));
    return ok({ user_id: params.user_id, resource: row.name, unit: row.unit, bucket_seconds: bucketMs / 1000, groups });
  },
});

function numbersOf({ count, min, avg, max, sum }: SampleBucket, shown: ReadonlySet<string>): Readonly<Record<string, number | null>> {
  return Object.fromEntries(Object.entries({ count, min, avg, max, sum }).filter(([name]) => shown.has(name)));
}
