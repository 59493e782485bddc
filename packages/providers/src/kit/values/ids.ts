import { uuidv5 } from '@pulsewire/kernel';

// Never change it: all existing summary ids are derived from it.
const namespace = '6f1c2a7e-3d0b-5c59-9f8e-4b8a1d2e7c60';

export interface SummaryIdParts {
  readonly userId: string;
  readonly provider: string;
  readonly sourceType: string;
  readonly resource: string;
  /** The provider's own id of the record, or its local day where it has none. */
  readonly externalId: string;
}

/** The id of a summary. Deterministic, so that a record read again updates its row. */
export function summaryId(parts: SummaryIdParts): string {
  // A JSON list is unambiguous for any characters in the provider's id.
  return uuidv5(namespace, JSON.stringify([parts.userId, parts.provider, parts.sourceType, parts.resource, parts.externalId]));
}

// Never change it: all stored device ids are derived from it.
const deviceNamespace = '2d9a7c1e-58f4-5b0e-8a63-9c1f4e7b0d35';

/** The id of a device. Deterministic, so that records name it without a look-up. */
export function deviceId(parts: Pick<SummaryIdParts, 'userId' | 'provider' | 'externalId'>): string {
  return uuidv5(deviceNamespace, JSON.stringify([parts.userId, parts.provider, parts.externalId]));
}
