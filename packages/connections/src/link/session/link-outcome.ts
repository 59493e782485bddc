import type { LinkErrorType } from '@pulsewire/contract';
import type { MfaChoice, MfaMethod } from '@pulsewire/providers';

/** Redirect address of the session; null when it has none or the session is unknown. */
interface Ending {
  readonly redirectUrl: string | null;
}

export interface LinkSuccess extends Ending {
  readonly state: 'success';
  readonly connectionId: string;
  /** As `Connection.externalUserId`. */
  readonly externalUserId: string | null;
}

/** Requested with an e-mail address. The connection is created when the provider's practice confirms it. */
export interface LinkRequested extends Ending {
  readonly state: 'success';
  /** Id of the pending request; null when there is nothing to confirm. */
  readonly linkId: string | null;
  /** Null while the request is pending; else the existing connection. */
  readonly connectionId: string | null;
  /** The address. */
  readonly externalUserId: string;
}

/** What the user must enter: a code, or with the method `choice` the value of one of the choices. */
export interface PendingChallenge {
  readonly method: MfaMethod;
  /** Masked destination of the code; for a choice, what to enter. */
  readonly hint: string;
  /** Labels may be names of people. */
  readonly choices?: readonly MfaChoice[];
}

export interface LinkPending extends Ending {
  readonly state: 'pending_provider_mfa';
  readonly mfa: PendingChallenge;
}

export interface LinkFailure extends Ending {
  readonly state: 'error';
  readonly errorType: LinkErrorType;
  /** For developers. */
  readonly error: string;
}

/** How an attempt to link ended. A rejected link is an outcome, not an error. */
export type LinkOutcome = LinkSuccess | LinkPending | LinkFailure;
