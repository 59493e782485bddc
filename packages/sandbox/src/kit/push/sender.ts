import { sleep } from '@pulsewire/kernel';
import type { StatisticsBook } from '../parts/statistics.ts';
import { callSubscriber } from './call-subscriber.ts';

/** An address that one application has registered for pushes. */
export interface PushTarget {
  readonly clientId: string;
  readonly callbackUrl: string;
  readonly verificationCode: string;
  /** Details of the definition, such as the subscribed kinds, a secret or the account. JSON only. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** One request to be sent. */
export interface PushMessage {
  readonly method?: 'POST' | 'GET';
  /** Sent as JSON, or unchanged when it is a string. */
  readonly body: unknown;
  /** Default `application/json`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What targets filter by, such as `sleep`. Without it every target of the account gets the message. */
  readonly topic?: string;
}

export interface PushRecord {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;
}

export interface PushSender {
  readonly log: readonly PushRecord[];
  targets(): readonly PushTarget[];
  add(target: PushTarget): void;
  /** Returns how many were removed. */
  remove(test: (target: PushTarget) => boolean): number;
  /** Signs and sends; retries a few times when it is not accepted. */
  send(target: PushTarget, message: PushMessage): void;
  /** Sends once and returns the status. */
  sendOnce(request: Omit<PushRecord, 'status'>): Promise<number | undefined>;
  settled(): Promise<void>;
  snapshot(): readonly PushTarget[];
}

export interface PushSenderOptions {
  readonly closing: AbortSignal;
  readonly deadlineMs: number;
  /** Wall ms before the second and later attempts. */
  readonly retryDelaysMs: readonly number[];
  readonly batch: { readonly waitMs: number; readonly max: number } | undefined;
  /** Failures in a row after which a target gets nothing more. */
  readonly failuresMax: number;
  readonly statistics: StatisticsBook;
  readonly targets: readonly PushTarget[];
  readonly sign: (body: string, target: PushTarget) => Readonly<Record<string, string>>;
  readonly isAccepted: (status: number) => boolean;
}

const logMax = 1000;

/** Sends messages to registered addresses, one request at a time and in order. */
export function createPushSender(options: PushSenderOptions): PushSender {
  const { closing, deadlineMs, retryDelaysMs, batch, failuresMax, statistics, sign, isAccepted } = options;
  let targets = [...options.targets];
  const log: PushRecord[] = [];
  let queue: Promise<void> = Promise.resolve();
  const failuresOf = new Map<PushTarget, number>();
  const openBatches = new Map<PushTarget, Map<string, unknown>>();

  async function sendOnce({ url, body, headers }: Omit<PushRecord, 'status'>): Promise<number | undefined> {
    const status = await callSubscriber({ url, method: 'POST', headers, body, deadlineMs, signal: closing });
    log.push({ url, body, headers, status });
    if (log.length > logMax) log.shift();
    return status;
  }

  /** Whether the target accepted the message in one of its attempts. `count`: how many messages a batch holds. */
  async function attempt(target: PushTarget, message: PushMessage, count: number): Promise<boolean> {
    const body = typeof message.body === 'string' ? message.body : JSON.stringify(message.body);
    for (const delayMs of [0, ...retryDelaysMs]) {
      if (delayMs > 0) await sleep(delayMs, closing);
      if (closing.aborted) return false;
      statistics.push('sent', count);
      const headers = { 'content-type': message.contentType ?? 'application/json', ...message.headers, ...sign(body, target) };
      const status = await sendOnce({ url: target.callbackUrl, body, headers });
      if (status !== undefined && isAccepted(status)) return true;
    }
    return false;
  }

  async function deliver(target: PushTarget, message: PushMessage, count: number): Promise<void> {
    const failures = failuresOf.get(target) ?? 0;
    if (failures >= failuresMax) return statistics.push('dropped', count);
    const isDelivered = await attempt(target, message, count);
    statistics.push(isDelivered ? 'accepted' : 'failed', count);
    failuresOf.set(target, isDelivered ? 0 : failures + 1);
  }

  function enqueue(work: () => Promise<void>): void {
    queue = queue.then(work).catch(() => {});
  }

  function sendInBatch(target: PushTarget, message: PushMessage, { waitMs, max }: { readonly waitMs: number; readonly max: number }): void {
    const key = JSON.stringify(message.body);
    const open = openBatches.get(target);
    if (open && open.size < max) return void open.set(key, message.body);
    const started = new Map([[key, message.body]]);
    openBatches.set(target, started);
    enqueue(async () => {
      await sleep(waitMs, closing);
      if (openBatches.get(target) === started) openBatches.delete(target);
      await deliver(target, { ...message, body: [...started.values()] }, started.size);
    });
  }

  return {
    log,
    targets: () => targets,
    add: (target) => void targets.push(target),
    remove(test) {
      const before = targets.length;
      targets = targets.filter((target) => !test(target));
      return before - targets.length;
    },
    send(target, message) {
      if (batch) sendInBatch(target, message, batch);
      else enqueue(() => deliver(target, message, 1));
    },
    sendOnce,
    async settled() {
      let seen: Promise<void>;
      do {
        seen = queue;
        await seen;
      } while (seen !== queue);
    },
    snapshot: () => targets,
  };
}
