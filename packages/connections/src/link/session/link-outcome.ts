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

/** Asked for by an e-mail address. The connection is made when the provider's practice confirms it. */
export interface LinkRequested extends Ending {
  readonly state: 'success';
  /** Of the request that waits; null when there is nothing to confirm. */
  readonly linkId: string | null;
  /** Null while the request waits; else the connection that is there already. */
  readonly connectionId: string | null;
  /** The address. */
  readonly externalUserId: string;
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
