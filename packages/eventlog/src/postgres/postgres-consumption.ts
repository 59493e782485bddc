import { AppError, type Clock, errorCode, type Logger, type Metrics, WakeSignal, within } from '@pulsewire/kernel';
import type { Database, Tx } from '@pulsewire/database';
import { logChannel } from '../append/announce.ts';
import { DoubtfulShards } from '../group/doubtful-shards.ts';
import { ensureGeneration } from '../generation/ensure-generation.ts';
import { followGeneration } from '../group/follow-generation.ts';
import { generationOf } from '../model/offsets.ts';
import { MemberWatch } from '../group/member-watch.ts';
import {
  claimShards,
  fairShare,
  fenceOf,
  heartbeat,
  leaveGroup,
  movePositions,
  releaseShards,
  seedGroup,
  type Heartbeat,
  type Member,
} from '../group/membership.ts';
import { readFrom } from '../read/read.ts';
import { ShardCursors } from '../group/shard-cursors.ts';
import type { Consumption, LogEvent, LogSink, Position } from '../model/types.ts';

interface Options {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly member: Member;
  readonly pollMs: number;
  readonly sink: LogSink;
}

const readMax = 1000;
const releasePatienceMs = 3000;
const fullTurn = 16;

/** One member of a group that reads the log: keeps its lease, shares shards with the others, feeds its sink. */
export class PostgresConsumption implements Consumption {
  readonly #options: Options;
  readonly #watch: MemberWatch;
  readonly #cursors = new ShardCursors();
  readonly #readSignal = new WakeSignal();
  readonly #leaseSignal = new WakeSignal();
  readonly #doubtful = new DoubtfulShards(() => this.#leaseSignal.set());
  #isStopping = false;
  #leaseValidUntilMs = 0;
  /** Of the last heartbeat. What is of a later one waits for the next: a lease from before it may be void. */
  #generation = 0;
  #loops: Promise<unknown> = Promise.resolve();
  #unlisten: () => Promise<void> = async () => {};

  constructor(options: Options) {
    this.#options = options;
    this.#watch = new MemberWatch(options.member.leaseMs);
  }

  async start(from: 'start' | 'end'): Promise<void> {
    const { database, member } = this.#options;
    await seedGroup(database, member.group, from);
    const subscription = await database.listen(logChannel, () => this.#readSignal.set());
    this.#unlisten = () => subscription.unlisten();
    // A heartbeat that is late on a busy machine is no reason not to start: the loop asks again.
    await this.#keepLease().catch((error: unknown) => this.#warn('log.heartbeat_failed', error));
    this.#loops = Promise.all([this.#leaseLoop(), this.#readLoop()]);
  }

  savePositions(tx: Tx, positions: readonly Position[]): Promise<void> {
    return this.#doubtful.watch(movePositions(tx, this.#options.member, positions));
  }

  async saved(positions: readonly Position[]): Promise<void> {
    for (const position of positions) this.#cursors.recorded(position);
    if (this.#cursors.releasing() > 0) this.#leaseSignal.set();
  }

  owned(): readonly number[] {
    return this.#cursors.shards();
  }

  wake(): void {
    this.#readSignal.set();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#readSignal.set();
    this.#leaseSignal.set();
    await this.#loops;
    await this.#unlisten().catch(() => {});
    await leaveGroup(this.#options.database, this.#options.member).catch((error: unknown) => this.#warn('log.leave_failed', error));
  }

  async #leaseLoop(): Promise<void> {
    while (!this.#isStopping) {
      await this.#leaseSignal.wait(this.#cursors.releasing() > 0 ? 100 : this.#options.member.leaseMs / 5);
      if (this.#isStopping) return;
      try {
        await this.#keepLease();
      } catch (error) {
        this.#warn('log.heartbeat_failed', error);
        // Others may take over from now on, so what is not recorded is theirs.
        if (this.#options.clock.monotonicMs() > this.#leaseValidUntilMs) this.#drop(this.#cursors.shards());
      }
    }
  }

  async #keepLease(): Promise<void> {
    const { database, member, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const doubtful = this.#doubtful.take();
    const { members, shardCount, fence, nextOffset, owned } = await within(member.leaseMs * 0.5, this.#beat(), heartbeatLate);
    this.#leaseValidUntilMs = startedMs + member.leaseMs * 0.8;
    const isOurs = (shard: number, epoch = this.#cursors.epochOf(shard)) =>
      epoch !== undefined && owned.get(shard) === epoch && fenceOf(epoch) === fence && !doubtful.has(shard);
    this.#drop(this.#cursors.shards().filter((shard) => !isOurs(shard)));
    if (this.#generation < generationOf(nextOffset)) this.#readSignal.set();
    this.#generation = generationOf(nextOffset);

    const share = fairShare(members, shardCount);
    const surplus = this.#cursors.count - this.#cursors.releasing() - share;
    if (surplus > 0) this.#cursors.startRelease(surplus, clock.monotonicMs());
    const releasable = this.#cursors.releasable(clock.monotonicMs(), releasePatienceMs);
    if (releasable.length > 0) {
      this.#drop(releasable);
      await releaseShards(database, member, releasable);
    }
    const missing = share - this.#cursors.count;
    if (missing > 0) {
      const claimed = await claimShards(database, member, this.#cursors.shards(), missing);
      for (const shard of claimed) this.#cursors.add(shard);
      if (claimed.length > 0) {
        this.#options.logger.info(
          { group: member.group, member: member.memberId, claimed: claimed.length, owned: this.#cursors.count },
          'log.shards_claimed',
        );
        this.#readSignal.set();
      }
    }
    // Given up when a heartbeat was late, and more than the share by now: nobody else may take what is still ours in the database.
    const orphaned = [...owned.keys()].filter((shard) => this.#cursors.epochOf(shard) === undefined && !releasable.includes(shard));
    if (orphaned.length > 0) await releaseShards(database, member, orphaned);
    await followGeneration(database, this.#cursors, nextOffset);
    this.#options.metrics.gauge('log_shards_owned', this.#cursors.count, { group: member.group });
  }

  async #beat(): Promise<Heartbeat> {
    const { clock, database, logger, member } = this.#options;
    const started = await ensureGeneration(database);
    if (started !== null) logger.warn({ group: member.group, ...started }, 'log.generation_started');
    return heartbeat(database, member, this.#watch, clock);
  }

  #drop(shards: readonly number[]): void {
    for (const shard of shards) {
      this.#cursors.remove(shard);
      this.#options.sink.revoked(shard);
    }
  }

  async #readLoop(): Promise<void> {
    let failures = 0;
    while (!this.#isStopping) {
      try {
        const isFull = await this.#readOnce();
        failures = 0;
        if (!isFull) await this.#readSignal.wait(this.#options.pollMs);
      } catch (error) {
        this.#warn('log.read_failed', error);
        failures += 1;
        await this.#readSignal.wait(Math.min(2000, 50 * 2 ** failures));
      }
    }
  }

  /** True when there may be more to read right away. */
  async #readOnce(): Promise<boolean> {
    const { database, sink } = this.#options;
    const limit = Math.min(readMax, sink.capacity());
    const points = this.#cursors.readPoints();
    if (limit <= 0 || points.length === 0) return false;
    const events = await readFrom(database, points, limit);
    if (events.length === 0) return false;
    if (events.some(({ offset }) => generationOf(offset) > this.#generation)) {
      this.#leaseSignal.set();
      return false;
    }
    await sink.prepare?.();
    const asked = new Map(points.map((point) => [point.shard, point.offset]));
    for (const [shard, batch] of groupByShard(events)) {
      // The shard may have gone to another member, and even come back under another epoch, while we read and prepared.
      const epoch = this.#cursors.epochOf(shard);
      if (epoch === undefined || this.#cursors.nextOffsetOf(shard) !== asked.get(shard)) continue;
      // A lease that ran out while we read and prepared is somebody else's to use.
      if (this.#options.clock.monotonicMs() > this.#leaseValidUntilMs) return false;
      if (this.#cursors.handedOver(shard, batch)) sink.accept(shard, epoch, batch);
    }
    // Full turns leave more behind; a few events more will be announced.
    return events.length >= Math.min(limit, fullTurn);
  }

  #warn(event: string, error: unknown): void {
    this.#options.logger.warn({ group: this.#options.member.group, code: errorCode(error) }, event);
  }
}

function groupByShard(events: readonly LogEvent[]): Map<number, LogEvent[]> {
  const groups = new Map<number, LogEvent[]>();
  for (const event of events) {
    const group = groups.get(event.shard);
    if (group) group.push(event);
    else groups.set(event.shard, [event]);
  }
  return groups;
}

function heartbeatLate(): never {
  throw new AppError({
    code: 'heartbeat_late',
    kind: 'unavailable',
    message: 'Postgres did not answer the heartbeat in time',
    retryable: true,
  });
}
