import type { CanonicalRecord } from '@pulsewire/contract';

type Records = readonly CanonicalRecord[];

function cut<T>(items: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = items.length >> 1;
  return [items.slice(0, middle), items.slice(middle)];
}

/** Two halves of a list of records; a single record is split into two with half of its samples each. Null when it cannot be divided. */
export function splitRecords(records: Records): readonly [Records, Records] | null {
  if (records.length > 1) return cut(records);
  const [record] = records;
  if (record?.kind === 'samples' && record.samples.length > 1) {
    const [first, second] = cut(record.samples);
    return [[{ ...record, samples: first }], [{ ...record, samples: second }]];
  }
  if (record?.kind === 'sample_removal' && record.ts.length > 1) {
    const [first, second] = cut(record.ts);
    return [[{ ...record, ts: first }], [{ ...record, ts: second }]];
  }
  return null;
}
