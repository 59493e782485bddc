import { noMetrics, sleep } from '@pulsewire/kernel';
import type { EachBatchPayload } from 'kafkajs';
import { readCommitted } from '../admin.ts';
import { openSession, type ConsumerSession } from './consumer-session.ts';
import type { GuardedConsumer, GuardedConsumerOptions, KafkaMessage } from './consumer-types.ts';
import { causeType, kafkaUnavailable } from '../kafka-error.ts';
import type { KafkaClient } from '../kafka-client.ts';
import { PartitionDesk, type PartitionState } from './partition-desk.ts';
import { untilReadingStalls } from './reading-watch.ts';
import { within } from '../within.ts';

const watchEveryMs = 250;
const commitTimeoutMs = 10_000;
const retryMs = 200;
const retryMaxMs = 5_000;

/**
 * A consumer without the traps of kafkajs: its handler's errors never reach it, it goes on sending heartbeats while
 * everything is paused, and when it dies, goes silent or is put out of the group, a new one takes its place. Starts at once.
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
  const desk = new PartitionDesk(topic);
  const stopping = new AbortController();
  let session: ConsumerSession | undefined;
  let memberUntilMs = 0;
  let heardOfMs = 0;
  let rebuilds = 0;
  let lastReason: string | null = null;

  // A member that went in the middle of its join holds the others up for a rebalance, and for another one where it was to lead.
  // Whoever gave up earlier would leave the next such member behind.
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

  async function announce(gained: readonly PartitionState[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const current = gained.filter((state) => desk.isCurrent(state));
      if (current.length === 0 || stopping.signal.aborted) return;
      try {
        await options.onAssigned(current.map((state) => state.partition));
        for (const state of current) if (desk.isCurrent(state)) desk.release(state.partition, 'assigning');
        return;
      } catch (error) {
        logger.warn({ type: causeType(error).type, attempt }, 'kafka.assign_failed');
        await sleep(backoff(attempt), stopping.signal);
      }
    }
  }

  function handOver({ batch }: EachBatchPayload): void {
    const state = desk.get(batch.partition);
    const first = batch.messages[0];
    if (!state || !first || stopping.signal.aborted) return;
    const { partition } = state;
    const from = state.next ?? BigInt(first.offset);
    if (!options.capacity(partition)) desk.hold(partition, 'capacity');
    // Fetched before the pause came: read again later.
    if (state.holds.size > 0) return desk.seek(partition, from);
    const messages = batch.messages.map(toMessage).filter((message) => message.offset >= from);
    const last = messages.at(-1);
    if (!last) return;
    state.next = last.offset + 1n;
    state.changes++;
    options.onBatch(partition, messages);
    state.failures = 0;
    if (!options.capacity(partition)) desk.hold(partition, 'capacity');
  }

  /** Nothing that is thrown here may reach kafkajs: it counts errors without ever forgiving, and some kinds end it for good. */
  function handOverSafely(payload: EachBatchPayload): void {
    const state = desk.get(payload.batch.partition);
    const from = state?.next ?? BigInt(payload.batch.messages[0]?.offset ?? '0');
    try {
      handOver(payload);
    } catch (error) {
      if (!state) return;
      const waitMs = backoff(state.failures++);
      logger.error({ partition: state.partition, type: causeType(error).type, waitMs }, 'kafka.batch_failed');
      metrics.count('kafka_batches_failed_total');
      desk.hold(state.partition, 'failed');
      desk.seek(state.partition, from);
      void sleep(waitMs, stopping.signal).then(() => desk.isCurrent(state) && desk.release(state.partition, 'failed'));
    }
  }

  async function watch(until: AbortSignal, opened: ConsumerSession, startedMs: number): Promise<string> {
    while (!until.aborted) {
      await sleep(watchEveryMs, until);
      for (const partition of desk.owned()) {
        if (desk.get(partition)?.holds.has('capacity') && options.capacity(partition)) desk.release(partition, 'capacity');
      }
      const nowMs = performance.now();
      if (nowMs > memberUntilMs) {
        // By now the group has given our partitions to others.
        revoke(desk.drop());
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
    const hear = () => {
      heardOfMs = performance.now();
      memberUntilMs = heardOfMs + sessionTimeoutMs;
    };
    const opened = openSession(client, config, {
      owned: () => desk.owned(),
      // While the group waits for its members it moves no partitions; but a member that tries again and again is not waited for.
      joining: () =>
        ifCurrent(() => {
          if (!opened.hasJoined()) return;
          const waitsUntilMs = Math.min(performance.now() + rebalanceTimeoutMs, heardOfMs + joinWithinMs);
          memberUntilMs = Math.max(memberUntilMs, waitsUntilMs);
        }),
      heartbeat: () => ifCurrent(hear),
      joined: (partitions, isContinuous) =>
        ifCurrent(() => {
          hear();
          desk.attach(opened.handle.api);
          const { gained, lost } = desk.assign(partitions, isContinuous);
          metrics.count('kafka_rebalances_total');
          revoke(lost);
          if (gained.length > 0) void announce(gained);
        }),
      batch: (payload) => ifCurrent(() => handOverSafely(payload)),
    });
    session = opened;
    try {
      const until = AbortSignal.any([done.signal, stopping.signal]);
      const reading = untilReadingStalls({ client, groupId, topic, desk, stalledAfterMs }, until);
      return await Promise.race([opened.ended, watch(until, opened, startedMs), reading]);
    } finally {
      done.abort();
      desk.attach(undefined);
      await opened.handle.close(stopping.signal.aborted ? pollMs + 2_000 : 1_000);
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      session = undefined;
      const reason = await runSession().catch((error: unknown) => causeType(error).type ?? 'unknown');
      if (stopping.signal.aborted) return;
      failures = hasJoined(session) ? 0 : failures + 1;
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
      const own = [...offsets].filter(([partition]) => desk.get(partition));
      if (own.length === 0) return;
      if (!session || !isMember()) throw kafkaUnavailable('not a member of the group');
      const places = own.map(([partition, offset]) => ({ topic, partition, offset: String(offset) }));
      try {
        await within(commitTimeoutMs, session.handle.api.commitOffsets(places), stopping.signal);
      } catch (cause) {
        throw kafkaUnavailable('offsets were not committed', cause);
      }
    },
    committed: () => readCommitted(client, groupId, topic),
    pause(partitions) {
      for (const partition of partitions) desk.hold(partition, 'caller');
    },
    resume(partitions) {
      for (const partition of partitions) {
        desk.release(partition, 'caller');
        if (options.capacity(partition)) desk.release(partition, 'capacity');
      }
    },
    seek: (partition, offset) => desk.seek(partition, offset),
    assigned: () => desk.owned(),
    health: () => ({ isMember: isMember(), rebuilds, lastReason }),
    async stop() {
      stopping.abort();
      revoke(desk.drop());
      await running;
    },
  };
}

// A function of its own, because the compiler takes a variable that callbacks set for what it was last set to here.
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
