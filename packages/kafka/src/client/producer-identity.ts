import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

/** Under what a producer writes: brokers refuse a batch whose epoch is lower than the highest that its partition has seen of this id. */
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

/** No producer has this epoch: whoever writes under it ends all others of the same id, in that partition. */
export const fencingEpoch = 32_767;

interface Wish {
  readonly identity: ProducerIdentity | undefined;
  given?: ProducerIdentity;
}

const wishes = new AsyncLocalStorage<Wish>();
const patched = new WeakSet<object>();

/** kafkajs keeps the id of a producer to itself, and always asks for a new one. With this it can be known and chosen. Running it twice does no harm. */
export function patchProducerIdentity(): void {
  const require = createRequire(import.meta.url);
  const { prototype } = require('kafkajs/src/broker') as BrokerClass;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { initProducerId } = prototype;
  prototype.initProducerId = async function (request) {
    const wish = wishes.getStore();
    if (wish?.identity !== undefined) {
      wish.given = wish.identity;
      return { producerId: wish.identity.producerId, producerEpoch: wish.identity.epoch };
    }
    const given = await initProducerId.call(this, request);
    if (wish) wish.given = { producerId: given.producerId, epoch: given.producerEpoch };
    return given;
  };
}

/** Connects a producer under an identity, or a new one where none is given; gives what it has. */
export async function connectAs(
  identity: ProducerIdentity | undefined,
  connect: () => Promise<void>,
): Promise<ProducerIdentity | undefined> {
  const wish: Wish = { identity };
  await wishes.run(wish, connect);
  return wish.given;
}
