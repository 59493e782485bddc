import type { Cipher } from '@pulsewire/database';
import { labSealContext } from '../../model/sealed-columns.ts';

/** Personal data and free text of an order; sealed as one value. The objects are those of the requests. */
export interface OrderSecrets {
  readonly patient: Readonly<Record<string, unknown>> | null;
  readonly address: Readonly<Record<string, unknown>> | null;
  readonly shipping: Readonly<Record<string, unknown>> | null;
  readonly physician: Readonly<Record<string, unknown>> | null;
  /** Without its images; absent in orders of earlier releases. */
  readonly healthInsurance?: Readonly<Record<string, unknown>> | null;
  readonly clinicalNotes: string | null;
  readonly passthrough: string | null;
  readonly icdCodes: readonly string[] | null;
  readonly answers: readonly { readonly markerId: number; readonly questionId: number; readonly answer: string }[];
  readonly consents: readonly unknown[];
  readonly creatorMemberId: string | null;
}

export function sealOrder(cipher: Cipher, orderId: string, secrets: OrderSecrets): Buffer {
  return cipher.seal(JSON.stringify(secrets), labSealContext('lab_order_details', orderId));
}

export function openOrder(cipher: Cipher, orderId: string, sealed: Buffer): OrderSecrets {
  return JSON.parse(cipher.open(sealed, labSealContext('lab_order_details', orderId))) as OrderSecrets;
}
