import type { PartnerMissing, PartnerResult } from '../partners/partner.ts';

interface Reason {
  readonly failure: string;
  readonly text: string;
}

const notPerformed: Reason = { failure: 'unknown_failure', text: 'Test not performed' };
const cancelled: Reason = { failure: 'unknown_failure', text: 'Test cancelled by the laboratory' };
const tooLittle: Reason = { failure: 'quantity_not_sufficient_failure', text: 'Quantity not sufficient' };

/** What laboratories write in place of a value that they did not measure. */
const reasons: ReadonlyMap<string, Reason> = new Map(
  Object.entries({
    tnp: notPerformed,
    'test not performed': notPerformed,
    'not performed': notPerformed,
    'not tested': notPerformed,
    cancelled,
    canceled: cancelled,
    'test cancelled': cancelled,
    'test canceled': cancelled,
    qns: tooLittle,
    'quantity not sufficient': tooLittle,
    'insufficient sample': tooLittle,
    'insufficient quantity': tooLittle,
  }),
);

/** The result as a missing one when its text says that nothing was measured, else null. The lab's own note goes before ours. */
export function asMissing({ providerId, name, value, note, at }: PartnerResult): PartnerMissing | null {
  const reason = reasons.get(value.trim().toLowerCase().replace(/[.:]$/, ''));
  return reason === undefined ? null : { providerId, name, failure: reason.failure, note: note ?? reason.text, at };
}
