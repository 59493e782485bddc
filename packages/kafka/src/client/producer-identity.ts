import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

/** Producer id and epoch: brokers reject a batch whose epoch is below the highest one seen for this id in the partition. */
export interface ProducerIdentity {
  readonly producerId: string;
  readonly epoch: number;
}

/** The part of kafkajs that the patch touches (kafkajs 2.2.4, src/broker). */
interface BrokerClass {
  readonly prototype: {
    initProducerId(request: unknown): Promise<{ readonly producerId: string; readonly producerEpoch: number }>;
  };
}

/** No producer uses this epoch: a write under it fences every producer of the same id in that partition. */
export const fencingEpoch = 32_767;

interface IdentityRequest {
  readonly identity: ProducerIdentity | undefined;
  assigned?: ProducerIdentity;
}

const requests = new AsyncLocalStorage<IdentityRequest>();
const patched = new WeakSet<object>();

/** kafkajs hides the id of a producer and always requests a new one. This patch lets callers choose and read it. Idempotent. */
export function patchProducerIdentity(): void {
  const require = createRequire(import.meta.url);
  const { prototype } = require('kafkajs/src/broker') as BrokerClass;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { initProducerId } = prototype;
  prototype.initProducerId = async function (request) {
    const requested = requests.getStore();
    if (requested?.identity !== undefined) {
      requested.assigned = requested.identity;
      return { producerId: requested.identity.producerId, producerEpoch: requested.identity.epoch };
    }
    const assigned = await initProducerId.call(this, request);
    if (requested) requested.assigned = { producerId: assigned.producerId, epoch: assigned.producerEpoch };
    return assigned;
  };
}

/** Connects a producer under an identity, or under a new one; returns the one it has. */
export async function connectAs(
  identity: ProducerIdentity | undefined,
  connect: () => Promise<void>,
): Promise<ProducerIdentity | undefined> {
  const request: IdentityRequest = { identity };
  await requests.run(request, connect);
  return request.assigned;
}
