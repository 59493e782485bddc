import { describe, expect, it } from 'vitest';
import { summaryId, type SummaryIdParts } from './ids.ts';

const parts: SummaryIdParts = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  provider: 'fitbit',
  sourceType: 'watch',
  resource: 'sleep',
  externalId: '44112233',
};

describe('summaryId', () => {
  it('never changes for the same parts', () => {
    expect(summaryId(parts)).toBe('0ce34b46-990c-51d6-b516-99c2b798c7a3');
  });

  it('differs when any part differs', () => {
    const others = (Object.keys(parts) as (keyof SummaryIdParts)[]).map((key) => summaryId({ ...parts, [key]: 'other' }));
    expect(new Set([summaryId(parts), ...others]).size).toBe(6);
  });

  it('keeps the boundaries between the parts', () => {
    expect(summaryId({ ...parts, resource: 'a","b', externalId: 'c' })).not.toBe(
      summaryId({ ...parts, resource: 'a', externalId: 'b","c' }),
    );
  });
});
