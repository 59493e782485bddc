import { noMetrics, sleep } from '@pulsewire/kernel';
import type { EachBatchPayload } from 'kafkajs';
import { readCommitted } from '../admin.ts';
import { recordsUnreadable } from '../codecs/codecs.ts';
import { openSession, type ConsumerSession } from './consumer-session.ts';
import type { GuardedConsumer, GuardedConsumerOptions, KafkaMessage } from './consumer-types.ts';
import { causeType, kafkaUnavailable } from '../kafka-error.ts';
import type { KafkaClient } from '../kafka-client.ts';
import { OwnedPartitions, type PartitionState } from './owned-partitions.ts';
import { untilReadingStalls } from './reading-watch.ts';
import { withKafkaDeadline } from '../with-kafka-deadline.ts';

const watchEveryMs = 250;
const commitTimeoutMs = 10_000;
const retryMs = 200;
const retryMaxMs = 5_000;

/**
 * A consumer that guards against defects of kafkajs: errors of the handler never reach kafkajs, heartbeats continue while everything is
 * paused, and a consumer that crashed, became silent or was removed from the group is replaced. Starts immediately.
 */
export function createGuardedConsumer(client: KafkaClient, options: GuardedConsumerOptions): GuardedConsumer {
  const {
    groupId,
    topic,
    sessionTimeoutMs = 6_000,
    rebalanceTimeoutMs = 15_000,
    pollMs = 300,
    partitionBytesMax = 2 ** 20,
    stalledAfterMs = 15_000,
    metrics = noMetrics,
  } = options;
  const logger = client.logger.child({ groupId, topic });
  const owned = new OwnedPartitions(topic);
  const stopping = new AbortController();
  let session: ConsumerSession | undefined;
  let memberUntilMs = 0;
  let lastHeartbeatMs = 0;
  let rebuilds = 0;
  let lastReason: string | null = null;

  // A member that disappeared while joining delays a rebalance, and a second one if it was elected leader. Giving up earlier would leave
  // behind another such member.
  const joinWithinMs = 2 * rebalanceTimeoutMs + sessionTimeoutMs;
  const isMember = () => session !== undefined && session.hasJoined() && performance.now() < memberUntilMs;

  function revoke(partitions: readonly number[]): void {
    if (partitions.length === 0) return;
    try {
      options.onRevoked(partitions);
    } catch (error) {
      logger.error({ type: causeType(error).type }, 'kafka.revoke_failed');
    }
  }

  async function notifyAssigned(gained: readonly PartitionState[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const current = gained.filter((state) => owned.isCurrent(state));
      if (current.length === 0 || stopping.signal.aborted) return;
      try {
        await options.onAssigned(current.map((state) => state.partition));
        for (const state of current) if (owned.isCurrent(state)) owned.release(state.partition, 'assigning');
        return;
      } catch (error) {
        logger.warn({ type: causeType(error).type, attempt }, 'kafka.assign_failed');
        await sleep(backoff(attempt), stopping.signal);
      }
    }
  }

  function handOver({ batch }: EachBatchPayload): void {
    const state = owned.get(batch.partition);
    const first = batch.messages[0];
    if (!state || !first || stopping.signal.aborted) return;
    const { partition } = state;
    const from = state.next ?? BigInt(first.offset);
    if (!options.capacity(partition)) owned.hold(partition, 'capacity');
    // Fetched before the pause; it will be read again later.
    if (state.holds.size > 0) return owned.seek(partition, from);
    const messages = batch.messages.map(toMessage).filter((message) => message.offset >= from);
    const last = messages.at(-1);
    if (!last) return;
    state.next = last.offset + 1n;
    state.changes++;
    options.onBatch(partition, messages);
    state.failures = 0;
    if (!options.capacity(partition)) owned.hold(partition, 'capacity');
  }

  /** No error may reach kafkajs: kafkajs never resets its retry budget, and some kinds of errors stop it permanently. */
  function handOverSafely(payload: EachBatchPayload): void {
    const state = owned.get(payload.batch.partition);
    const from = state?.next ?? BigInt(payload.batch.messages[0]?.offset ?? '0');
    try {
      handOver(payload);
    } catch (error) {
      if (!state) return;
      const waitMs = backoff(state.failures++);
      logger.error({ partition: state.partition, type: causeType(error).type, waitMs }, 'kafka.batch_failed');
      metrics.count('kafka_batches_failed_total');
      owned.hold(state.partition, 'failed');
      owned.seek(state.partition, from);
      void sleep(waitMs, stopping.signal).then(() => owned.isCurrent(state) && owned.release(state.partition, 'failed'));
    }
  }

  async function watch(until: AbortSignal, opened: ConsumerSession, startedMs: number): Promise<string> {
    while (!until.aborted) {
      await sleep(watchEveryMs, until);
      for (const partition of owned.list()) {
        if (owned.get(partition)?.holds.has('capacity') && options.capacity(partition)) owned.release(partition, 'capacity');
      }
      const nowMs = performance.now();
      if (nowMs > memberUntilMs) {
        // By now the group has assigned our partitions to others.
        revoke(owned.clear());
        if (opened.hasJoined()) return 'SESSION_EXPIRED';
        if (nowMs - startedMs > joinWithinMs) return 'NOT_JOINED';
      }
    }
    return 'STOPPED';
  }

  async function runSession(): Promise<string> {
    const done = new AbortController();
    const startedMs = performance.now();
    const ifCurrent = (work: () => void) => {
      if (!done.signal.aborted) work();
    };
    const config = { groupId, topic, sessionTimeoutMs, rebalanceTimeoutMs, pollMs, partitionBytesMax };
    const recordHeartbeat = () => {
      lastHeartbeatMs = performance.now();
      memberUntilMs = lastHeartbeatMs + sessionTimeoutMs;
    };
    const opened = openSession(client, config, {
      owned: () => owned.list(),
      // A group that waits for its members moves no partitions, but it does not wait for a member that keeps rejoining.
      joining: () =>
        ifCurrent(() => {
          if (!opened.hasJoined()) return;
          const waitsUntilMs = Math.min(performance.now() + rebalanceTimeoutMs, lastHeartbeatMs + joinWithinMs);
          memberUntilMs = Math.max(memberUntilMs, waitsUntilMs);
        }),
      heartbeat: () => ifCurrent(recordHeartbeat),
      joined: (partitions, isContinuous) =>
        ifCurrent(() => {
          recordHeartbeat();
          owned.attach(opened.handle.api);
          const { gained, lost } = owned.assign(partitions, isContinuous);
          metrics.count('kafka_rebalances_total');
          revoke(lost);
          if (gained.length > 0) void notifyAssigned(gained);
        }),
      batch: (payload) => ifCurrent(() => handOverSafely(payload)),
    });
    session = opened;
    try {
      const until = AbortSignal.any([done.signal, stopping.signal]);
      const reading = untilReadingStalls({ client, groupId, topic, owned, stalledAfterMs }, until);
      return await Promise.race([opened.ended, watch(until, opened, startedMs), reading]);
    } finally {
      done.abort();
      owned.attach(undefined);
      await opened.handle.close(stopping.signal.aborted ? pollMs + 2_000 : 1_000);
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      session = undefined;
      const reason = await runSession().catch((error: unknown) => causeType(error).type ?? 'unknown');
      if (stopping.signal.aborted) return;
      // Such records are still there after a rebuild.
      failures = hasJoined(session) && reason !== recordsUnreadable ? 0 : failures + 1;
      rebuilds++;
      lastReason = reason;
      logger.warn({ reason, failures }, 'kafka.consumer_rebuilt');
      metrics.count('kafka_consumer_rebuilt_total');
      await sleep(backoff(failures), stopping.signal);
    }
  }

  const running = run();
  return {
    async commit(offsets) {
      const ours = [...offsets].filter(([partition]) => owned.get(partition));
      if (ours.length === 0) return;
      if (!session || !isMember()) throw kafkaUnavailable('not a member of the group');
      const topicOffsets = ours.map(([partition, offset]) => ({ topic, partition, offset: String(offset) }));
      try {
        await withKafkaDeadline(commitTimeoutMs, session.handle.api.commitOffsets(topicOffsets), stopping.signal);
      } catch (cause) {
        throw kafkaUnavailable('offsets were not committed', cause);
      }
    },
    committed: () => readCommitted(client, groupId, topic),
    pause(partitions) {
      for (const partition of partitions) owned.hold(partition, 'caller');
    },
    resume(partitions) {
      for (const partition of partitions) {
        owned.release(partition, 'caller');
        if (options.capacity(partition)) owned.release(partition, 'capacity');
      }
    },
    seek: (partition, offset) => owned.seek(partition, offset),
    assigned: () => owned.list(),
    health: () => ({ isMember: isMember(), rebuilds, lastReason }),
    async stop() {
      stopping.abort();
      revoke(owned.clear());
      await running;
    },
  };
}

// Outside, because the compiler narrows `session` to its last assignment although callbacks set it.
function hasJoined(session: ConsumerSession | undefined): boolean {
  return session?.hasJoined() ?? false;
}

function backoff(attempt: number): number {
  return Math.min(retryMaxMs, retryMs * 2 ** Math.min(attempt, 10));
}

function toMessage(message: EachBatchPayload['batch']['messages'][number]): KafkaMessage {
  const { offset, key, value, headers, timestamp } = message;
  return { offset: BigInt(offset), key, value, headers: headers ?? {}, timestamp: Number(timestamp) };
}
