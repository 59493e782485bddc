import { errorMessage } from '@pulsewire/kernel';
import { findToolchain } from './artifacts.ts';
import { startKafkaCluster, untilBrokers } from './cluster.ts';
import { startContainers } from './containers.ts';
import { startRegistry } from './registry.ts';

/** Where a broker and a registry are for this run, or why there are none. */
export type KafkaPlace =
  | {
      readonly kind: 'given' | 'container' | 'local';
      readonly brokers: readonly string[];
      /** Absent only when brokers were configured without a registry. */
      readonly registryUrl: string | null;
      /** Minimum session timeout that the broker allows for a consumer. */
      readonly sessionTimeoutMinMs: number;
    }
  | { readonly kind: 'none'; readonly reason: string };

/** As in the variables KAFKA_BROKERS (with commas) and SCHEMA_REGISTRY_URL. */
export interface GivenKafka {
  readonly brokers: string | undefined;
  readonly registryUrl: string | undefined;
}

/** Kafka's own default for `group.min.session.timeout.ms`. */
const brokerDefaultSessionTimeoutMs = 6_000;

/**
 * Finds a real broker and registry: the ones in KAFKA_BROKERS and SCHEMA_REGISTRY_URL, else containers where Docker responds,
 * else Apache Kafka and Apicurio from Maven Central where Java and Maven are present.
 */
export async function openKafka(given: GivenKafka): Promise<{ readonly place: KafkaPlace; close(): Promise<void> }> {
  const addresses = (given.brokers ?? '').split(',').filter(Boolean);
  if (addresses.length > 0) {
    await untilBrokers(addresses, 1);
    const place = {
      kind: 'given',
      brokers: addresses,
      registryUrl: given.registryUrl ?? null,
      sessionTimeoutMinMs: brokerDefaultSessionTimeoutMs,
    } as const;
    return { place, close: async () => {} };
  }
  const containers = await startContainers();
  if (containers.ok) {
    const { brokers, registryUrl, close } = containers;
    return { place: { kind: 'container', brokers, registryUrl, sessionTimeoutMinMs: brokerDefaultSessionTimeoutMs }, close };
  }
  const toolchain = await findToolchain();
  if (!toolchain.ok) return none(`KAFKA_BROKERS is not set, ${containers.reason}, and ${toolchain.reason}`);
  const [cluster, registry] = await Promise.allSettled([startKafkaCluster({ count: 1 }), startRegistry()]);
  const close = async () => {
    if (cluster.status === 'fulfilled') await cluster.value.close();
    if (registry.status === 'fulfilled') await registry.value.close();
  };
  if (cluster.status === 'rejected' || registry.status === 'rejected') {
    await close();
    const failed = cluster.status === 'rejected' ? cluster : (registry as PromiseRejectedResult);
    return none(errorMessage(failed.reason));
  }
  const place = {
    kind: 'local',
    brokers: cluster.value.addresses,
    registryUrl: registry.value.url,
    sessionTimeoutMinMs: cluster.value.sessionTimeoutMinMs,
  } as const;
  return { place, close };
}

function none(reason: string) {
  return { place: { kind: 'none', reason } as const, close: async () => {} };
}
