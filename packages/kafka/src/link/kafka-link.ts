import type { Database } from '@pulsewire/database';
import { AppError, errorCode, isAppError, sleep, systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import pRetry from 'p-retry';
import { prepareKafka } from '../admin/prepare-kafka.ts';
import { reservePrefix } from '../admin/reserve-prefix.ts';
import { withAdmin } from '../client/admin.ts';
import { codecFault, countUnreadable } from '../client/codecs/codecs.ts';
import { createKafkaClient } from '../client/kafka-client.ts';
import type { KafkaConfig } from '../config/kafka-config.ts';
import { connectionOf } from '../connection/connection-of.ts';
import { openKafka, type OpenKafka } from '../connection/open-kafka.ts';
import { registryOf } from '../connection/registry-of.ts';
import { Reachability, type KafkaPart } from './reachability.ts';

/** A process's connection to Kafka, which may be created while Kafka is unreachable. */
export interface KafkaLink {
  /** Opens Kafka, retrying until it can be reached. Rejects when the signal aborts or the link is closed. */
  open(signal?: AbortSignal): Promise<OpenKafka>;
  /**
   * As `open`, once the topic prefix is known to be this installation's. Rejects with AppError `prefix_in_use` when another one has it; the
   * health checks report this until a later call succeeds.
   */
  claim(database: Database, signal?: AbortSignal): Promise<OpenKafka>;
  /** Pings brokers and registry until the signal aborts and logs when they become unreachable and reachable. */
  watch(signal: AbortSignal): Promise<void>;
  /** For health checks: unreachable brokers or registry do not fail them; a prefix of another installation does. */
  readonly checks: readonly { readonly name: string; readonly isOptional: boolean; check(): Promise<void> }[];
  close(): Promise<void>;
}

const retryOptions = { retries: Infinity, minTimeout: 1000, maxTimeout: 15_000, randomize: true };
const watchEveryMs = 10_000;

function closedEarly(): AppError {
  return new AppError({ code: 'kafka_link_closed', kind: 'unavailable', message: 'The process was stopped before Kafka was reachable' });
}

function partOf(error: unknown): KafkaPart {
  return /^(registry|schema)_/.test(errorCode(error)) ? 'registry' : 'brokers';
}

/**
 * Throws AppError `config_invalid` for invalid settings. `prepares`: also creates missing topics and registers the schemas, for
 * installations without a deployment step.
 */
export async function createKafkaLink(options: {
  readonly config: KafkaConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly prepares?: boolean;
}): Promise<KafkaLink> {
  const { config, logger, metrics, clock = systemClock, prepares = false } = options;
  const registry = registryOf(config);
  countUnreadable(metrics);
  const pings = createKafkaClient(await connectionOf(config), { logger });
  const addresses = { brokers: config.kafkaBrokers.join(', '), registry: registry.address };
  const reachability = new Reachability({ addresses, logger, metrics, clock });
  const closing = new AbortController();
  let opening: Promise<OpenKafka> | undefined;
  let prefixError: AppError | undefined;

  async function openOnce(): Promise<OpenKafka> {
    const { signal } = closing;
    if (prepares) await prepareKafka(config, logger, { retries: 0, signal });
    const open = await openKafka({ config, logger, metrics, retries: 0, signal });
    reachability.succeeded('brokers');
    // p-retry drops the result of an attempt that outlasts the signal.
    if (signal.aborted) await open.close();
    return open;
  }

  async function openWithRetries(): Promise<OpenKafka> {
    const { signal } = closing;
    try {
      return await pRetry(openOnce, {
        ...retryOptions,
        signal,
        onFailedAttempt: ({ error }) => {
          if (!signal.aborted) reachability.failed(partOf(error), error);
        },
      });
    } catch (error) {
      throw signal.aborted ? closedEarly() : error;
    }
  }

  async function look(part: KafkaPart, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!closing.signal.aborted) reachability.failed(part, error);
      return;
    }
    // A missing topic or schema is cleared by the operation that needs it, not by a ping.
    if (errorCode(reachability.errorOf(part) ?? { code: '' }).endsWith('_unavailable')) reachability.succeeded(part);
  }

  async function reach(signal?: AbortSignal): Promise<OpenKafka> {
    opening ??= openWithRetries();
    opening.catch(() => {});
    if (signal === undefined) return opening;
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(closedEarly());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([opening, stopped.promise]);
    } finally {
      signal.removeEventListener('abort', stop);
      stopped.promise.catch(() => {});
    }
  }

  return {
    open: reach,
    async claim(database, signal) {
      const kafka = await reach(signal);
      try {
        await reservePrefix({ client: kafka.client, database, config, logger });
        prefixError = undefined;
        return kafka;
      } catch (error) {
        if (isAppError(error) && error.code === 'prefix_in_use') {
          prefixError = error;
          logger.error({ prefix: config.kafkaTopicPrefix, explanation: error.message }, 'kafka.prefix_in_use');
        }
        throw error;
      }
    },
    async watch(signal) {
      while (!signal.aborted) {
        await Promise.all([
          look('brokers', () => withAdmin(pings, 'the brokers', (admin) => admin.describeCluster())),
          look('registry', () => registry.ping()),
        ]);
        await sleep(watchEveryMs, signal);
      }
    },
    checks: [
      ...(['brokers', 'registry'] as const).map((part) => ({
        name: part === 'brokers' ? 'kafka' : 'schema_registry',
        isOptional: true,
        async check() {
          const error = reachability.errorOf(part);
          if (error instanceof Error) throw error;
        },
      })),
      {
        // Events are read from Postgres instead, so the process remains usable.
        name: 'kafka_records',
        isOptional: true,
        async check() {
          const fault = codecFault();
          if (fault) throw fault;
        },
      },
      {
        name: 'kafka_prefix',
        isOptional: false,
        async check() {
          if (prefixError) throw prefixError;
        },
      },
    ],
    async close() {
      closing.abort();
      const open = await opening?.catch(() => undefined);
      await open?.close();
      await pings.close();
    },
  };
}
