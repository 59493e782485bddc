import type { PhoneProvider } from '@pulsewire/providers';

/** The user of a phone, and its health store. */
export interface PhoneOwner {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: PhoneProvider;
}

/** The owner of items, the version under which they are stored, and when they arrived. */
export interface VersionedOwner extends PhoneOwner {
  readonly version: bigint;
  readonly receivedAt: Date;
  /** They are a part of an export, which has one version and divides records wherever a part is full. */
  readonly isExport?: boolean;
}
