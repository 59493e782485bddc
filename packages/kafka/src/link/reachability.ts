import { errorCode, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';

/** The parts that a process needs in addition to Postgres when the log is on Kafka. */
export type KafkaPart = 'brokers' | 'registry';

const logAgainMs = 60_000;

const effects: Readonly<Record<KafkaPart, string>> = {
  brokers: 'Events stay in the log in Postgres until then; everything that does not need Kafka continues.',
  registry: 'Whatever needs a schema that was not requested before waits; everything else continues.',
};

function nameOf(part: KafkaPart, address: string): string {
  return part === 'brokers' ? `The Kafka brokers (KAFKA_BROKERS: ${address})` : `The schema registry (SCHEMA_REGISTRY_URL: ${address})`;
}

/** The problem, in words for a person: a part may respond and still be unusable. */
function describe(part: KafkaPart, address: string, error: unknown): string {
  switch (errorCode(error)) {
    case 'topic_missing':
      return `${nameOf(part, address)} respond, but a topic is missing. Run \`npm run admin -- topics create\`; the check is repeated.`;
    case 'schema_not_registered':
      return `${nameOf(part, address)} responds, but schemas are missing. Run \`npm run admin -- schemas register\`.`;
    case 'schema_incompatible':
      return `${nameOf(part, address)} refuses a schema that breaks readers of older records.`;
    default:
      return `${nameOf(part, address)} cannot be reached; we keep trying. ${effects[part]}`;
  }
}

interface State {
  error: unknown;
  sinceMs: number;
  loggedAtMs: number;
}

/** Tracks whether brokers and registry can be reached, and logs each change with address and duration. */
export class Reachability {
  readonly #states = new Map<KafkaPart, State>();
  readonly #parts: {
    readonly addresses: Readonly<Record<KafkaPart, string>>;
    readonly logger: Logger;
    readonly metrics: Metrics;
    readonly clock: Clock;
  };

  constructor(parts: {
    readonly addresses: Readonly<Record<KafkaPart, string>>;
    readonly logger: Logger;
    readonly metrics: Metrics;
    readonly clock: Clock;
  }) {
    this.#parts = parts;
  }

  /** The error that makes a part unusable; undefined when it is usable or was not checked yet. */
  errorOf(part: KafkaPart): unknown {
    return this.#states.get(part)?.error;
  }

  failed(part: KafkaPart, error: unknown): void {
    const { addresses, logger, metrics, clock } = this.#parts;
    const nowMs = clock.monotonicMs();
    const known = this.#states.get(part);
    const isNew = known === undefined || errorCode(known.error) !== errorCode(error) || nowMs - known.loggedAtMs >= logAgainMs;
    const sinceMs = known?.sinceMs ?? nowMs;
    this.#states.set(part, { error, sinceMs, loggedAtMs: isNew ? nowMs : known.loggedAtMs });
    metrics.gauge('kafka_unreachable', 1, { part });
    if (!isNew) return;
    const seconds = Math.round((nowMs - sinceMs) / 1000);
    logger.warn(
      {
        part,
        address: addresses[part],
        errorCode: errorCode(error),
        forSeconds: seconds,
        explanation: describe(part, addresses[part], error),
      },
      'kafka.unreachable',
    );
  }

  succeeded(part: KafkaPart): void {
    const { addresses, logger, metrics, clock } = this.#parts;
    const known = this.#states.get(part);
    metrics.gauge('kafka_unreachable', 0, { part });
    if (known === undefined) return;
    this.#states.delete(part);
    const seconds = Math.round((clock.monotonicMs() - known.sinceMs) / 1000);
    const verb = part === 'brokers' ? 'are' : 'is';
    // Also a warning, so that readers who see the outage also see its end.
    logger.warn(
      {
        part,
        address: addresses[part],
        forSeconds: seconds,
        explanation: `${nameOf(part, addresses[part])} ${verb} back after ${seconds} s.`,
      },
      'kafka.reachable',
    );
  }
}
