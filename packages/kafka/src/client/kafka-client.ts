import { AppError, type Logger } from '@pulsewire/kernel';
import {
  Kafka,
  type Admin,
  type Consumer,
  type ConsumerConfig,
  type ISocketFactory,
  type Producer,
  type ProducerConfig,
  type SASLOptions,
} from 'kafkajs';
import type { KafkaConnection } from './config.ts';
import { registerCodecs } from './codecs/codecs.ts';
import { createLogCreator } from './log-creator.ts';
import { patchConnection } from './patch-connection.ts';
import { patchMetadata } from './patch-metadata.ts';
import { patchProducerIdentity } from './producer-identity.ts';
import { patchRequestQueue } from './patch-request-queue.ts';
import { createSocketGate } from './socket-gate.ts';
import { withKafkaDeadline } from './with-kafka-deadline.ts';

/** A kafkajs object with its own sockets. */
export interface Handle<T> {
  readonly api: T;
  /** Disconnects, and destroys the sockets after `withinMs`. Never throws. */
  close(withinMs?: number): Promise<void>;
  /** Destroys the sockets now: nothing more is sent, although kafkajs may still retry. */
  cut(): void;
}

export interface KafkaClient {
  readonly logger: Logger;
  producer(config: ProducerConfig): Handle<Producer>;
  consumer(config: ConsumerConfig): Handle<Consumer>;
  admin(): Handle<Admin>;
  /** Closes every producer, consumer and admin created here. */
  close(): Promise<void>;
}

/** A client of these brokers; connects when a producer, consumer or admin does. Throws AppError `config_invalid` without a broker. */
export function createKafkaClient(connection: KafkaConnection, { logger }: { readonly logger: Logger }): KafkaClient {
  if (connection.brokers.length === 0) {
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Kafka needs the address of at least one broker' });
  }
  registerCodecs();
  patchRequestQueue();
  patchConnection();
  patchMetadata();
  patchProducerIdentity();
  const open = new Set<Handle<unknown>>();
  let created = 0;

  function track<T extends { disconnect(): Promise<void> }>(make: (kafka: Kafka) => T): Handle<T> {
    // Each gets its own `Kafka`, because kafkajs takes the socket factory there.
    const gate = createSocketGate();
    const api = make(new Kafka(kafkaConfig(connection, logger, gate.socketFactory, created++)));
    const handle: Handle<T> = {
      api,
      async close(withinMs = 5_000) {
        open.delete(handle);
        await withKafkaDeadline(withinMs, api.disconnect()).catch(() => {});
        gate.close();
      },
      cut() {
        open.delete(handle);
        gate.close();
      },
    };
    open.add(handle);
    return handle;
  }

  return {
    logger,
    producer: (config) => track((kafka) => kafka.producer(config)),
    consumer: (config) => track((kafka) => kafka.consumer(config)),
    admin: () => track((kafka) => kafka.admin({ retry: { retries: 3, initialRetryTime: 200, maxRetryTime: 2_000 } })),
    async close() {
      await Promise.all([...open].map((handle) => handle.close()));
    },
  };
}

function saslOptions(sasl: NonNullable<KafkaConnection['sasl']>): SASLOptions {
  if (sasl.mechanism !== 'oauthbearer') return { ...sasl };
  const { token, extensions = {} } = sasl;
  // kafkajs sends the extensions, although its types do not mention them.
  const oauthBearerProvider = async () => ({ value: await token(), extensions });
  return { mechanism: 'oauthbearer', oauthBearerProvider };
}

function kafkaConfig(connection: KafkaConnection, logger: Logger, socketFactory: ISocketFactory, index: number) {
  const { brokers, tls, sasl } = connection;
  const first = index % brokers.length;
  return {
    // kafkajs starts with the first broker and stays with one that accepts connections but never responds, so each object starts with a
    // different one.
    brokers: [...brokers.slice(first), ...brokers.slice(0, first)],
    clientId: connection.clientId,
    ...(tls ? { ssl: { ...tls } } : {}),
    ...(sasl ? { sasl: saslOptions(sasl) } : {}),
    connectionTimeout: connection.connectTimeoutMs ?? 5_000,
    authenticationTimeout: 10_000,
    requestTimeout: connection.requestTimeoutMs ?? 15_000,
    // Bounded, because we rebuild producers and consumers when kafkajs gives up.
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000, multiplier: 2, factor: 0.2 },
    logCreator: createLogCreator(logger),
    socketFactory,
  };
}
