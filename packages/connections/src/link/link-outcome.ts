import type { LinkErrorType } from '@pulsewire/contract';

/** Where the browser was to go when the flow ends, as the session says; null when it says nothing or the token told us no session. */
interface Ending {
  readonly redirectUrl: string | null;
}

export interface LinkSuccess extends Ending {
  readonly state: 'success';
  readonly connectionId: string;
  /** As `Connection.externalUserId`. */
  readonly externalUserId: string | null;
}

export interface LinkPending extends Ending {
  readonly state: 'pending_provider_mfa';
  readonly mfa: { readonly method: 'sms' | 'email'; readonly hint: string };
}

export interface LinkFailure extends Ending {
  readonly state: 'error';
  readonly errorType: LinkErrorType;
  /** For developers. */
  readonly error: string;
}

/** How a try to link ended. A refused link is an outcome, not an error. */
export type LinkOutcome = LinkSuccess | LinkPending | LinkFailure;
