import type { CanonicalRecord, Summary } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import { readSummariesAt, type SummaryAt } from '@pulsewire/store';
import type { PhoneOwner } from '../model/phone-owner.ts';

/** A summary with the stored values of fields that it does not state: a poorer copy of a thing does not replace a fuller one. */
export function fillGaps(summary: Summary, stored: Pick<SummaryAt, 'data' | 'calendarDate' | 'offsetFrom'>): Summary {
  const known = Object.entries(stored.data).filter(([key, value]) => value !== null && summary.data[key] == null);
  const isOther = (summary.data['sport'] as { readonly slug?: unknown } | null)?.slug === 'other';
  const data = { ...summary.data, ...Object.fromEntries(known), ...(isOther && { sport: stored.data['sport'] ?? summary.data['sport'] }) };
  // Day and offset belong together.
  const isOffsetKnown = summary.data['timezone_offset'] != null || stored.data['timezone_offset'] == null;
  return isOffsetKnown
    ? { ...summary, data }
    : { ...summary, data, calendarDate: stored.calendarDate, ...(stored.offsetFrom && { offsetFrom: stored.offsetFrom }) };
}

/** Profiles with what is stored of them: a height, and birth date and sex, arrive apart. */
export async function fillProfiles(tx: Tx, owner: PhoneOwner, records: readonly CanonicalRecord[]): Promise<readonly CanonicalRecord[]> {
  const isProfile = (record: CanonicalRecord): record is Summary => record.kind === 'summary' && record.resource === 'profile';
  const instants = records.filter(isProfile).map(({ at }) => at);
  if (instants.length === 0) return records;
  const stored = new Map((await readSummariesAt(tx, { ...owner, resource: 'profile', instants })).map((one) => [one.id, one]));
  return records.map((record) => {
    const known = isProfile(record) ? stored.get(record.id) : undefined;
    return isProfile(record) && known ? fillGaps(record, known) : record;
  });
}
