import type { PartnerMissing, PartnerResult } from '../partners/partner.ts';

/** What a lab reported about a sample. */
export interface LabReport {
  readonly status: 'final' | 'partial';
  readonly sampleId: string;
  readonly results: readonly PartnerResult[];
  readonly missing: readonly PartnerMissing[];
  readonly collectedAt: Date | null;
  readonly receivedAt: Date | null;
  readonly at: Date;
}
