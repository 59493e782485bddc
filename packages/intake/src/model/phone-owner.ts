import type { PhoneProvider } from '@pulsewire/providers';

/** The user of a phone, and its health store. */
export interface PhoneOwner {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: PhoneProvider;
}
