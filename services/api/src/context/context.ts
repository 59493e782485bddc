import type { AuditRecorder } from '@pulsewire/audit';
import type { Clock, Logger } from '@pulsewire/kernel';
import type { AuthenticatedKey, BulkContext, FillDemo, LinkContext, Team } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import type { ByteBudget, UnsubscribeContext } from '@pulsewire/ingest';
import type { PhoneClaims, ReceiveContext, TokenContext } from '@pulsewire/intake';
import type { JobRunner, LabsContext } from '@pulsewire/labs';
import type { Connector } from '@pulsewire/providers';
import type { MessageContext } from '@pulsewire/webhooks';
import type { Background } from './background.ts';
import type { KeyUses } from '../limits/key-uses.ts';
import type { FailedKeys } from '../limits/failed-keys.ts';
import type { KeyRates } from '../limits/key-rates.ts';
import type { RawCipher } from '@pulsewire/store';
import type { PhoneLimits } from '../limits/phone-limits.ts';
import type { TeamSlots } from '../limits/team-slots.ts';
import type { UnsentResponses } from '../limits/unsent-responses.ts';
import type { BulkPorts, RefreshPorts } from './ingest-ports.ts';
import type { ReceivePush, RejectUnknownAddress } from './push.ts';

/** Dependencies of handlers; the same for every request. */
export interface ApiContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly connectors: readonly Connector[];
  readonly links: LinkContext;
  readonly bulk: BulkContext & Pick<BulkPorts, 'onPaused'>;
  /** Dependencies of managing webhook endpoints and reading messages. */
  readonly endpoints: MessageContext;
  readonly labs: LabsContext;
  /** Runs calls to partners that a request waits for. */
  readonly labCalls: JobRunner;
  /** Sign-ins and batches of phones. */
  readonly phone: {
    readonly tokens: TokenContext;
    readonly receiving: ReceiveContext;
    /** Bytes of batches in memory, by team. */
    readonly bytes: ByteBudget;
    readonly limits: PhoneLimits;
  };
  readonly refresh: RefreshPorts;
  /** Generates the data of demo connections. */
  readonly fillDemo: FillDemo;
  readonly rejectUnknownAddress: RejectUnknownAddress;
  readonly receivePush: ReceivePush;
  readonly pushBytes?: ByteBudget | undefined;
  /** Bytes of reports and webhooks of lab partners in memory, by team or partner. */
  readonly labBytes: ByteBudget;
  /** Bytes of all other bodies of requests with keys, by team. */
  readonly bodyBytes: ByteBudget;
  /** Notifies a provider that a connection has ended. */
  readonly unsubscribing: UnsubscribeContext;
  /** Work that outlives its request; drained before the process ends. */
  readonly background: Background;
  readonly keyUses: KeyUses;
  readonly audit: AuditRecorder;
  readonly keyRates: KeyRates;
  readonly failedKeys: FailedKeys;
  /** Opens the raw forms of records, and the kept responses of providers. */
  readonly rawCipher: RawCipher;
  readonly teamSlots: TeamSlots;
  /** Of requests without a key. */
  readonly openSlots: TeamSlots;
  readonly unsent: UnsentResponses;
  readonly settings: ApiSettings;
}

export interface ApiSettings {
  /** Most live users of a sandbox team. */
  readonly sandboxUsersMax: number;
  /** Samples of one page of grouped timeseries. */
  readonly samplesPerPage: number;
  /** Whether link endpoints take a link token without a key. */
  readonly linkTokenAloneAllowed: boolean;
  /** Requests per second of a key without a limit of its own; 0: no limits. */
  readonly rateLimit: number;
}

/** Context of every request. */
export interface OpenContext extends ApiContext {
  readonly logger: Logger;
  readonly traceId: string;
}

/** A request with a valid key. */
export interface KeyContext extends OpenContext {
  readonly team: Team;
  /** The API key of the request. */
  readonly key: AuthenticatedKey;
}

/** A request to a link endpoint: with a key, or with only a link token if that is allowed. */
export interface LinkRequestContext extends OpenContext {
  readonly team: Team | null;
}

/** A request of a phone with its own token, then without a key, or of a trusted app with a key. */
export interface PhoneRequestContext extends OpenContext {
  readonly team: Team | null;
  readonly key: AuthenticatedKey | null;
  /** The identity behind the token; null with a key. */
  readonly sender: PhoneClaims | null;
}
