import { findResource, missingSummaryFields, type CanonicalRecord } from '@pulsewire/contract';

function problemOf(record: CanonicalRecord): string | null {
  const resource = findResource(record.resource);
  switch (record.kind) {
    case 'summary': {
      if (resource?.kind !== 'summary') return 'is no summary';
      const missing = missingSummaryFields(record);
      return missing.length === 0 ? null : `lacks ${missing.join(', ')}`;
    }
    case 'samples': {
      if (resource?.kind !== 'timeseries') return 'is no timeseries';
      const wantsSubKind = resource.subKinds?.presence === 'required';
      if (wantsSubKind !== (record.subKind !== undefined)) return 'has a sub-kind too many or too few';
      const isBad = record.samples.some(({ ts, end, value, extra }) => {
        const isValue = Number.isFinite(value) || (resource.valueForm === 'text' && typeof extra?.['text'] === 'string');
        const isEnd = resource.shape === 'interval' ? end !== undefined && end >= ts : true;
        return !isValue || !isEnd || !Number.isSafeInteger(ts);
      });
      return isBad ? 'has a sample without value, or without the end of its interval' : null;
    }
    case 'stream': {
      const { time, ...channels } = record.data;
      const isBad = Object.values(channels).some((values) => values !== undefined && values.length > 0 && values.length !== time.length);
      return isBad ? 'has channels of another length than its time' : null;
    }
    case 'summary_removal':
    case 'sample_removal':
      return resource === undefined ? 'removes from nowhere' : null;
  }
}

/** Lists defects in the shape of mapped records, one line each; empty when there are none. For tests of mappers. */
export function unsoundRecords(records: readonly CanonicalRecord[]): string[] {
  return records.flatMap((record) => {
    const problem = problemOf(record);
    return problem === null ? [] : [`${record.resource} ${problem}`];
  });
}
