import { Type, type Static } from 'typebox';
import { closedEnum, DateTime, optionalNumber, optionalText, Uuid } from '../fields/fields.ts';
import { resources } from '../resources/resources.ts';

export const bucketSizes = { '1m': 60_000, '5m': 300_000, '15m': 900_000, '1h': 3_600_000, '1d': 86_400_000 } as const;
export const bucketAggregates = ['count', 'min', 'avg', 'max', 'sum'] as const;

/** Series that have samples of their own. */
const series = resources.filter(({ kind, name }) => kind === 'timeseries' && name !== 'hypnogram').map(({ name }) => name);

/** GET /v2/timeseries/{user_id}/buckets, besides its window. */
export const bucketFields = {
  resource: closedEnum(series),
  bucket: closedEnum(Object.keys(bucketSizes) as (keyof typeof bucketSizes)[], { default: '5m' }),
  aggregate: Type.Optional(
    Type.Array(closedEnum(bucketAggregates), {
      minItems: 1,
      maxItems: bucketAggregates.length,
      description: 'Which numbers to return; by default all.',
    }),
  ),
  provider: Type.Optional(Type.String({ maxLength: 64, description: 'Provider slug; by default all.' })),
};

const Bucket = Type.Object(
  {
    start: DateTime,
    count: Type.Optional(Type.Integer({ description: 'Samples that begin in the bucket.' })),
    min: optionalNumber('In the unit of the series; null for one without numbers.'),
    avg: optionalNumber('Of the samples, whatever their length.'),
    max: optionalNumber('In the unit of the series.'),
    sum: optionalNumber('Useful for amounts, such as steps.'),
  },
  { title: 'SampleBucket' },
);

const BucketGroup = Type.Object(
  {
    provider: Type.String({ description: 'Provider slug.' }),
    source_type: Type.String(),
    type: optionalText('Sub-kind of the resource, if it has some.'),
    data: Type.Array(Bucket, { description: 'Ascending in time. A bucket without samples is missing; nothing is interpolated.' }),
  },
  { title: 'SampleBucketGroup' },
);

/** Response of GET /v2/timeseries/{user_id}/buckets. */
export const BucketsBody = Type.Object(
  {
    user_id: Uuid,
    resource: Type.String(),
    unit: Type.String(),
    bucket_seconds: Type.Integer(),
    groups: Type.Array(BucketGroup, { description: 'One per provider and source type.' }),
  },
  { title: 'SampleBucketsBody' },
);
export type BucketsBody = Static<typeof BucketsBody>;
