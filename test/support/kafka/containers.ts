import { errorMessage } from '@pulsewire/kernel';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { kafkaVersion, registryVersion } from './artifacts.ts';
import { untilBrokers } from './cluster.ts';
import { freePorts } from '../free-ports.ts';

type Containers =
  | { readonly ok: true; readonly brokers: readonly string[]; readonly registryUrl: string; close(): Promise<void> }
  | { readonly ok: false; readonly reason: string };

/** Kafka and Apicurio as containers, in the same versions as the local ones; not ok when no container runtime responds. */
export async function startContainers(): Promise<Containers> {
  try {
    await getContainerRuntimeClient();
  } catch {
    return { ok: false, reason: 'no container runtime answers' };
  }
  const started: { stop(): Promise<unknown> }[] = [];
  const close = async () => {
    await Promise.all(started.map((container) => container.stop()));
  };
  try {
    // The broker advertises its address to clients, so the external port must be known before it starts.
    const [port = 0] = await freePorts(1);
    const broker = await new GenericContainer(`apache/kafka:${kafkaVersion}`)
      .withExposedPorts({ container: 9092, host: port })
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://localhost:9093',
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
        KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '1',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      })
      .start();
    started.push(broker);
    const registry = await new GenericContainer(`apicurio/apicurio-registry-mem:${registryVersion}`)
      .withExposedPorts(8080)
      .withWaitStrategy(Wait.forHttp('/apis/ccompat/v7/subjects', 8080))
      .start();
    started.push(registry);
    const brokers = [`127.0.0.1:${port}`];
    await untilBrokers(brokers, 1);
    return { ok: true, brokers, registryUrl: `http://${registry.getHost()}:${registry.getMappedPort(8080)}/apis/ccompat/v7`, close };
  } catch (cause) {
    await close();
    return { ok: false, reason: `the containers did not start (${errorMessage(cause)})` };
  }
}
