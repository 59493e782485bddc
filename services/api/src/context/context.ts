import type { AuditRecorder } from '@pulsewire/audit';
import type { Clock, Logger } from '@pulsewire/kernel';
import type { AuthenticatedKey, BulkContext, FillDemo, LinkContext, Team } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import type { ByteBudget, UnsubscribeContext } from '@pulsewire/ingest';
import type { Connector } from '@pulsewire/providers';
import type { MessageContext } from '@pulsewire/webhooks';
import type { Background } from './background.ts';
import type { KeyUses } from '../limits/key-uses.ts';
import type { FailedKeys } from '../limits/failed-keys.ts';
import type { KeyRates } from '../limits/key-rates.ts';
import type { ReadSlots } from '../limits/read-slots.ts';
import type { UnsentResponses } from '../limits/unsent-responses.ts';
import type { BulkPorts, RefreshPorts } from './ingest-ports.ts';
import type { ReceivePush, RejectUnknownAddress } from './push.ts';

/** What handlers work with; the same for every request. */
export interface ApiContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly connectors: readonly Connector[];
  readonly links: LinkContext;
  readonly bulk: BulkContext & Pick<BulkPorts, 'onPaused'>;
  /** What managing webhook endpoints and reading messages takes. */
  readonly endpoints: MessageContext;
  readonly refresh: RefreshPorts;
  /** Makes up the data of demo connections. */
  readonly fillDemo: FillDemo;
  readonly rejectUnknownAddress: RejectUnknownAddress;
  readonly receivePush: ReceivePush;
  readonly pushBytes?: ByteBudget | undefined;
  /** How a provider is told that a connection ends. */
  readonly unsubscribing: UnsubscribeContext;
  /** Work that outlives its request; drained before the process ends. */
  readonly background: Background;
  readonly keyUses: KeyUses;
  readonly audit: AuditRecorder;
  readonly keyRates: KeyRates;
  readonly failedKeys: FailedKeys;
  readonly readSlots: ReadSlots;
  readonly unsent: UnsentResponses;
  readonly settings: ApiSettings;
}

export interface ApiSettings {
  /** Live users of a sandbox team. */
  readonly sandboxUsersMax: number;
  /** Samples of one page of grouped timeseries. */
  readonly samplesPerPage: number;
  /** Whether link endpoints take a link token without a key. */
  readonly linkTokenAloneAllowed: boolean;
  /** Requests per second of a key without a limit of its own; 0: no limits. */
  readonly rateLimit: number;
}

/** What every request has. */
export interface OpenContext extends ApiContext {
  readonly logger: Logger;
  readonly traceId: string;
}

/** A request with a valid key. */
export interface KeyContext extends OpenContext {
  readonly team: Team;
  /** The key by which the team calls. */
  readonly key: AuthenticatedKey;
}

/** A request to a link endpoint: a key, or a link token alone where that is allowed. */
export interface LinkRequestContext extends OpenContext {
  readonly team: Team | null;
}
