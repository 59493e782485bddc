import type { Clock } from '@pulsewire/kernel';
import type { FaultControl } from './parts/faults.ts';
import type { Person } from './person/person.ts';
import type { Change, PersonSpec, Stretch } from './person/types.ts';
import type { PushRecord } from './push/sender.ts';
import type { SimulatorStatistics } from './parts/statistics.ts';

/** An application as it is registered at the provider. */
export interface SimulatorApplication {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

export interface SimulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Wall clock of data and tokens. Default: the system's. */
  readonly clock?: Clock;
  /** How many times as fast quotas and tokens live. Default 1. */
  readonly speed?: number;
  readonly applications: readonly SimulatorApplication[];
  /** What faults are drawn from. */
  readonly seed?: string;
  /** Consents, subscriptions and what was read are kept here, so that a restarted simulator knows its clients. */
  readonly stateFile?: string;
  /** Wall ms between a push that was not accepted and the next try. Default 1000. */
  readonly pushRetryMs?: number;
}

/** Addresses that take the place of the provider's, under the names of the connector's settings. */
export interface SimulatorEndpoints {
  readonly apiBaseUrl: string;
  readonly authorizeUrl?: string;
  readonly tokenUrl?: string;
  readonly revokeUrl?: string;
  readonly regionUrls?: Readonly<Record<string, string>>;
}

/** What a simulator can play; whatever is not declared is not tested. */
export interface SimulatorCapabilities {
  /** How accounts are linked. */
  readonly auth: 'oauth' | 'password' | 'email';
  /** Regions that a login takes. */
  readonly regions?: readonly string[];
  /** Some logins ask for a code. */
  readonly mfa?: boolean;
  /** Tokens expire and are renewed. */
  readonly refresh: boolean;
  /** The simulated user can withdraw the consent, or change the password, and the connector can find out by a call or a push. */
  readonly revocation: boolean;
  /** The user can, but the provider has no call by which an application gives its access back. */
  readonly hasNoRevocationCall?: boolean;
  readonly push: {
    /** Made in a portal (`registerPush`), or by the connector through the API. */
    readonly registration: 'portal' | 'api';
    readonly isSigned: boolean;
    /** Tells of a withdrawn consent. */
    readonly tellsRevocation: boolean;
  } | null;
  /** What can be taken back, and is announced or seen by reading again. */
  readonly removes: readonly ('workout' | 'sleep')[];
  /**
   * What a person can delete without the provider telling of it: later answers no longer hold it. By kind the resources that lose
   * records with it; `morning` is all that was measured or noted in one.
   */
  readonly deletes?: Readonly<Partial<Record<'workout' | 'sleep' | 'morning', readonly string[]>>>;
  /** Answers of more than one page, when asked for many days. */
  readonly pages: boolean;
  /** Data follows `Person`, so that stored records can be held against the truth. */
  readonly truth: boolean;
  /** Resources of the connector that the simulated people never have. */
  readonly absent?: readonly string[];
  /** Days of history that the conformance suite reads. Default: enough to cross the border of the shortest chunk. */
  readonly conformanceDays?: number;
  /** Minutes until a person has something new. Default 20; a day where only workouts are told of. */
  readonly newDataMinutes?: number;
}

export interface AccountSpec extends PersonSpec {
  /** For providers with regions; default the first. */
  readonly region?: string;
  /** The login asks for a code. */
  readonly wantsMfa?: boolean;
}

/** A person's account at the simulated provider, as the maker of a simulator handles it. */
export interface SimulatedAccount {
  readonly name: string;
  readonly providerUserId: string;
  readonly timeZone: string;
  readonly credentials: {
    readonly username: string;
    readonly password: string;
    readonly region: string | null;
    readonly mfaCode: string | null;
  };
  readonly email: string;
  /** The truth behind the answers; null where data was recorded. */
  readonly truth: Person | null;
  /** The device is read: whatever happened up to now appears, and is announced. */
  makeNewData(): readonly Change[];
  /** Figures of the last whole day change, and that is announced. */
  revise(): readonly Change[];
  /** The last workout or night is taken back, and that is announced where the provider does so. */
  remove(kind: 'workout' | 'sleep'): readonly Change[];
  /** The same without a word to anybody: seen by reading again alone. */
  deleteSilently(kind: 'workout' | 'sleep'): readonly Change[];
  /** All that was measured or noted between eight and eleven on the last whole days is deleted in the same way. */
  deleteMornings(): readonly Stretch[];
  /** The user withdraws the consent; announced where the provider does so. */
  revoke(): void;
  /** Every access token of this account is refused from now on; refreshing goes on to work. */
  expireTokens(): void;
  /** Consents that stand, of all applications together. */
  consents(): number;
}

/** What a simulator was asked, oldest first; the last 2,000. */
export interface RequestRecord {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number | 'cut';
  /** Name of the route, `unknown` for none. */
  readonly kind: string;
}

/** A provider's calls to us. */
export interface SimulatedPushes {
  /** Registers an address in the portal, handshake included. False: the address did not answer as it must. */
  registerPush(clientId: string, address: { readonly callbackUrl: string; readonly verificationCode: string }): Promise<boolean>;
  /** Sent so far, oldest first. */
  readonly log: readonly PushRecord[];
  /** Resolves when every announced change was accepted or given up. */
  settled(): Promise<void>;
  /** Sends the last push once more, byte for byte; gives the status. */
  replay(): Promise<number | undefined>;
  /** Sends the last push with a signature or segment that is wrong; gives the status. */
  forge(): Promise<number | undefined>;
  /** Sends a well-signed push about a user whom nobody has linked; gives the status. */
  sendForStranger(): Promise<number | undefined>;
}

/** What every simulator offers to tests and the demo. */
export interface ProviderSimulator {
  readonly slug: string;
  readonly url: string;
  readonly endpoints: SimulatorEndpoints;
  readonly capabilities: SimulatorCapabilities;
  readonly accounts: readonly SimulatedAccount[];
  addAccount(spec: AccountSpec): SimulatedAccount;
  readonly faults: FaultControl;
  readonly requests: readonly RequestRecord[];
  /** Counts since the start. */
  statistics(): SimulatorStatistics;
  /** null where the provider does not call. */
  readonly pushes: SimulatedPushes | null;
  close(): Promise<void>;
}

/** A simulator in `all.ts`. */
export interface SimulatorEntry {
  readonly slug: string;
  start(options: SimulatorOptions): Promise<ProviderSimulator>;
}
