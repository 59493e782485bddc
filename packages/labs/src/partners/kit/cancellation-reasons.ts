import { uuidv5 } from '@pulsewire/kernel';
import type { CancellationReason } from '../partner.ts';

const namespace = '2f1c9d0e-5a57-4c0b-8f5e-0d7c3b6a9e11';

/** Reasons with stable ids, derived from partner and name. */
export function reasonsOf(partner: string, names: readonly string[]): readonly CancellationReason[] {
  return names.map((name) => ({ reasonId: uuidv5(namespace, `${partner} ${name}`), name, isRefundable: true }));
}
