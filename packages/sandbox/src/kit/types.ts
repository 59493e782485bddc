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
  /** How many times as fast quotas and token lifetimes run. Default 1. */
  readonly speed?: number;
  readonly applications: readonly SimulatorApplication[];
  /** Seed of the faults. */
  readonly seed?: string;
  /** Stores consents, subscriptions and sync positions, so that a restarted simulator keeps its clients. */
  readonly stateFile?: string;
  /** Wall ms between attempts of a push. Default: from the definition. */
  readonly pushRetryMs?: number;
}

/** The simulator's addresses, under the names of the connector's settings. */
export interface SimulatorEndpoints {
  readonly apiBaseUrl: string;
  readonly authorizeUrl?: string;
  readonly tokenUrl?: string;
  readonly revokeUrl?: string;
  readonly regionUrls?: Readonly<Record<string, string>>;
}

/** What a simulator supports; the conformance suite skips what is not declared. */
export interface SimulatorCapabilities {
  /** How accounts are linked. */
  readonly auth: 'oauth' | 'password' | 'email';
  /** Regions that a login takes. */
  readonly regions?: readonly string[];
  /** Some logins require a code. */
  readonly mfa?: boolean;
  /** Tokens expire and are renewed. */
  readonly refresh: boolean;
  /** The simulated user can withdraw the consent, or change the password, and the connector can find out by a call or a push. */
  readonly revocation: boolean;
  /** The provider has no call by which an application revokes its own access. */
  readonly hasNoRevocationCall?: boolean;
  readonly push: {
    /** In a portal (`registerPush`), or by the connector through the API. */
    readonly registration: 'portal' | 'api';
    readonly isSigned: boolean;
    /** Whether a withdrawn consent is pushed. */
    readonly notifiesRevocation: boolean;
  } | null;
  /** What the provider can delete, by push or visible when read again. */
  readonly removes: readonly ('workout' | 'sleep')[];
  /**
   * What a person can delete without a notification from the provider: later responses no longer include it. By kind the resources that
   * lose records with it; `morning` is all that was measured or noted in one.
   */
  readonly deletes?: Readonly<Partial<Record<'workout' | 'sleep' | 'morning', readonly string[]>>>;
  /** Responses for many days have several pages. */
  readonly pages: boolean;
  /** Data comes from `Person`, so that stored records can be compared with it. */
  readonly truth: boolean;
  /** Resources of the connector that the simulated people never have. */
  readonly absent?: readonly string[];
  /** The provider states no zone: the suite stores that of the account as the user's fallback. */
  readonly hasNoZone?: boolean;
  /** Days of history that the conformance suite reads. Default: enough to cross the boundary of the shortest chunk. */
  readonly conformanceDays?: number;
  /** Minutes until a person has new data. Default 20; a day for providers of workouts only. */
  readonly newDataMinutes?: number;
}

export interface AccountSpec extends PersonSpec {
  /** For providers with regions; default the first. */
  readonly region?: string;
  /** The login requires a code. */
  readonly wantsMfa?: boolean;
  /** The provider leaves out what it does at times to new clients and what takes long to pass, for a demo. */
  readonly hasNoObstacles?: boolean;
}

/** A person's account at the simulated provider, for tests and the demo. */
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
  /** The person whom the responses describe; null where data was recorded. */
  readonly truth: Person | null;
  /** Syncs the device up to now, and announces the new data. */
  makeNewData(): readonly Change[];
  /** Revises figures of the last whole day, and announces it. */
  revise(): readonly Change[];
  /** Deletes the last workout or night, and announces it if the provider does so. */
  remove(kind: 'workout' | 'sleep'): readonly Change[];
  /** The same without an announcement: visible only when read again. */
  deleteSilently(kind: 'workout' | 'sleep'): readonly Change[];
  /** Deletes all measurements and notes between 8 and 11 a.m. of the last whole days in the same way. */
  deleteMornings(): readonly Stretch[];
  /** Withdraws the user's consent, and announces it if the provider does so. */
  revoke(): void;
  /** Changes what the user permits every application, and announces it if the provider does so. */
  permit(scopes: readonly string[]): void;
  /** Expires every access token of this account; refresh tokens stay valid. */
  expireTokens(): void;
  /** Number of consents in force, over all applications. */
  consents(): number;
}

/** The last 2,000 requests, oldest first. */
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
  /** Registers an address in the portal, handshake included. False when the handshake failed. */
  registerPush(clientId: string, address: { readonly callbackUrl: string; readonly verificationCode: string }): Promise<boolean>;
  /** Sent so far, oldest first. */
  readonly log: readonly PushRecord[];
  /** Resolves when every message was accepted or abandoned. */
  settled(): Promise<void>;
  /** Sends the last push again, byte for byte; returns the status. */
  replay(): Promise<number | undefined>;
  /** Sends the last push with a wrong signature or path segment; returns the status. */
  forge(): Promise<number | undefined>;
  /** Sends a correctly signed push about an unknown user; returns the status. */
  sendForUnknownUser(): Promise<number | undefined>;
}

/** Begins and ends what a provider documents to go wrong, by the name in its definition. One at a time. */
export interface TroubleControl {
  begin(name: string): void;
  end(): void;
}

/** What every simulator offers to tests and the demo. */
export interface ProviderSimulator {
  readonly slug: string;
  readonly url: string;
  readonly endpoints: SimulatorEndpoints;
  /** Values of settings that the connector needs to understand the simulator, by name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly capabilities: SimulatorCapabilities;
  readonly accounts: readonly SimulatedAccount[];
  addAccount(spec: AccountSpec): SimulatedAccount;
  readonly faults: FaultControl;
  readonly troubles: TroubleControl;
  readonly requests: readonly RequestRecord[];
  /** Counts since the start. */
  statistics(): SimulatorStatistics;
  /** null where the provider has no pushes. */
  readonly pushes: SimulatedPushes | null;
  close(): Promise<void>;
}

/** A simulator in `all.ts`. */
export interface SimulatorEntry {
  readonly slug: string;
  start(options: SimulatorOptions): Promise<ProviderSimulator>;
}
