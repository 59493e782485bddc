import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { Jobs } from '../../jobs/jobs.ts';
import type { BodyStore } from './store-body.ts';
import type { SecretsFor } from './secrets/secrets-cache.ts';
import type { SignerSearch } from './signer-search.ts';
import type { Slots } from './limits/slots.ts';

/** What receiving a push needs. */
export interface PushContext extends BodyStore {
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly secretsFor: SecretsFor;
  /** Bounds how many bodies are verified and stored at the same time. */
  readonly bodies?: Slots;
  /** Bounds how often forged bodies are hashed. */
  readonly search?: SignerSearch;
}
