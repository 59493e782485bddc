import type { Consumer, EachBatchPayload } from 'kafkajs';
import { causeType } from '../kafka-error.ts';
import type { Handle, KafkaClient } from '../kafka-client.ts';
import { createStickyAssigner } from './sticky-assigner.ts';
import { withKafkaDeadline } from '../with-kafka-deadline.ts';

const prepareWithinMs = 15_000;

export interface SessionConfig {
  readonly groupId: string;
  readonly topic: string;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly pollMs: number;
  readonly partitionBytesMax: number;
}

/** Events of a session. Called from within kafkajs, so none may throw. */
export interface SessionListener {
  /** Partitions that the member owns and reports to the group. */
  owned(): readonly number[];
  joining(): void;
  /** `isContinuous`: no other member can have owned our previous partitions in between. */
  joined(partitions: readonly number[], isContinuous: boolean): void;
  heartbeat(): void;
  batch(payload: EachBatchPayload): void;
}

/** One kafkajs consumer from its first join to its end; it is never restarted, the next session is a new one. */
export interface ConsumerSession {
  readonly handle: Handle<Consumer>;
  /** Resolves with the type of the error that ended it. */
  readonly ended: Promise<string>;
  hasJoined(): boolean;
}

/** Opens a session that reports to the listener until it has ended. */
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
    // Finds a partition that moved even if its old broker returns no error.
    metadataMaxAge: 10_000,
    allowAutoTopicCreation: false,
    // kafkajs does not restart after some errors and waits ever longer after others; we open a new session instead.
    retry: { retries: 10, initialRetryTime: 100, maxRetryTime: 1_000, restartOnFailure: async () => false },
  });
  const { api } = handle;
  const ended = new Promise<string>((resolve) => {
    api.on(api.events.CRASH, ({ payload }) => resolve(causeType(payload.error).type ?? 'unknown'));
    api.on(api.events.HEARTBEAT, () => listener.heartbeat());
    api.on(api.events.GROUP_JOIN, ({ payload }) => {
      // One join since the last: no generation passed without us in which another member could have owned a partition of ours.
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
      await withKafkaDeadline(prepareWithinMs, prepare());
      await api.run({ autoCommit: false, eachBatchAutoResolve: true, eachBatch: async (payload) => listener.batch(payload) });
    };
    start().catch((error: unknown) => resolve(causeType(error).type ?? 'unknown'));
  });
  return { handle, ended, hasJoined: () => memberId !== undefined };
}
