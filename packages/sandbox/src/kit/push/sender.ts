import { sleep } from '@pulsewire/kernel';
import { callSubscriber } from './call-subscriber.ts';

/** Where one application wants to be called. */
export interface PushTarget {
  readonly clientId: string;
  readonly callbackUrl: string;
  readonly verificationCode: string;
  /** Whatever the definition wants to remember: the kinds subscribed to, a secret, the account that it is for. JSON only. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** One request to be sent. */
export interface PushMessage {
  readonly method?: 'POST' | 'GET';
  /** JSON unless it is a text, which goes as it is. */
  readonly body: unknown;
  /** Default `application/json`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** By which targets choose: `sleep`. */
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
  /** Gives how many were removed. */
  remove(test: (target: PushTarget) => boolean): number;
  /** Signs and sends; tries again a few times when it is not accepted. */
  send(target: PushTarget, message: PushMessage): void;
  /** Sends once and gives the status. */
  sendOnce(request: Omit<PushRecord, 'status'>): Promise<number | undefined>;
  settled(): Promise<void>;
  snapshot(): readonly PushTarget[];
}

export interface PushSenderOptions {
  readonly closing: AbortSignal;
  readonly retryMs: number;
  readonly targets: readonly PushTarget[];
  readonly sign: (body: string, target: PushTarget) => Readonly<Record<string, string>>;
  readonly isAccepted: (status: number) => boolean;
}

const triesMax = 3;
const logMax = 1000;
const deadlineMs = 10_000;

/** Calls the addresses that were registered: one request at a time, in the order in which they were asked for. */
export function createPushSender(options: PushSenderOptions): PushSender {
  const { closing, retryMs, sign, isAccepted } = options;
  let targets = [...options.targets];
  const log: PushRecord[] = [];
  let queue: Promise<void> = Promise.resolve();

  async function sendOnce({ url, body, headers }: Omit<PushRecord, 'status'>): Promise<number | undefined> {
    const status = await callSubscriber({ url, method: 'POST', headers, body, deadlineMs, signal: closing });
    log.push({ url, body, headers, status });
    if (log.length > logMax) log.shift();
    return status;
  }

  async function deliver(target: PushTarget, message: PushMessage): Promise<void> {
    const body = typeof message.body === 'string' ? message.body : JSON.stringify(message.body);
    for (let tries = 0; tries < triesMax && !closing.aborted; tries++) {
      if (tries > 0) await sleep(retryMs, closing);
      const headers = { 'content-type': message.contentType ?? 'application/json', ...message.headers, ...sign(body, target) };
      const status = await sendOnce({ url: target.callbackUrl, body, headers });
      if (status !== undefined && isAccepted(status)) return;
    }
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
      queue = queue.then(() => deliver(target, message)).catch(() => {});
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
