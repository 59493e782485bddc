import type { Consumer, EachBatchPayload } from 'kafkajs';
import { causeType } from '../kafka-error.ts';
import type { Handle, KafkaClient } from '../kafka-client.ts';
import { createStickyAssigner } from './sticky-assigner.ts';
import { within } from '../within.ts';

const prepareWithinMs = 15_000;

export interface SessionConfig {
  readonly groupId: string;
  readonly topic: string;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly pollMs: number;
  readonly partitionBytesMax: number;
}

/** What a session tells. All are called within kafkajs, so none may throw. */
export interface SessionListener {
  /** Partitions that the member has, to be said to the group. */
  owned(): readonly number[];
  joining(): void;
  /** `isContinuous`: nobody else can have had the partitions that we had before. */
  joined(partitions: readonly number[], isContinuous: boolean): void;
  heartbeat(): void;
  batch(payload: EachBatchPayload): void;
}

/** One kafkajs consumer from its first join to its end, which it does not survive: the next session is a new one. */
export interface ConsumerSession {
  readonly handle: Handle<Consumer>;
  /** Resolves with the kind of error that ended it; a session never comes back by itself. */
  readonly ended: Promise<string>;
  hasJoined(): boolean;
}

/** Opens a session; its listener hears of it until it has ended. */
export function openSession(client: KafkaClient, config: SessionConfig, listener: SessionListener): ConsumerSession {
  const { groupId, topic } = config;
  let memberId: string | undefined;
  let joins = 0;
  const assigner = createStickyAssigner(topic, listener.owned, () => {
    joins++;
    listener.joining();
  });
  const handle = client.consumer({
    groupId,
    partitionAssigners: [assigner],
    sessionTimeout: config.sessionTimeoutMs,
    rebalanceTimeout: config.rebalanceTimeoutMs,
    heartbeatInterval: Math.max(100, Math.round(config.sessionTimeoutMs / 6)),
    maxWaitTimeInMs: config.pollMs,
    maxBytesPerPartition: config.partitionBytesMax,
    // A partition that moved is looked for where it is now, even where its old broker gives no error.
    metadataMaxAge: 10_000,
    allowAutoTopicCreation: false,
    // kafkajs' own restart is not asked for some errors and waits ever longer for others; a new session does neither.
    retry: { retries: 10, initialRetryTime: 100, maxRetryTime: 1_000, restartOnFailure: async () => false },
  });
  const { api } = handle;
  const ended = new Promise<string>((resolve) => {
    api.on(api.events.CRASH, ({ payload }) => resolve(causeType(payload.error).type ?? 'unknown'));
    api.on(api.events.HEARTBEAT, () => listener.heartbeat());
    api.on(api.events.GROUP_JOIN, ({ payload }) => {
      // One join since the last: no generation has passed without us, in which a partition of ours could have been elsewhere.
      const isContinuous = memberId === payload.memberId && joins === 1;
      joins = 0;
      ({ memberId } = payload);
      listener.joined((payload.memberAssignment[topic] ?? []).map(Number), isContinuous);
    });
    const start = async () => {
      const prepare = async () => {
        await api.connect();
        await api.subscribe({ topics: [topic], fromBeginning: true });
      };
      await within(prepareWithinMs, prepare());
      await api.run({ autoCommit: false, eachBatchAutoResolve: true, eachBatch: async (payload) => listener.batch(payload) });
    };
    start().catch((error: unknown) => resolve(causeType(error).type ?? 'unknown'));
  });
  return { handle, ended, hasJoined: () => memberId !== undefined };
}
