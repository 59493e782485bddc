import { AppError, sleep } from '@pulsewire/kernel';
import type { StatisticsBook } from '../statistics.ts';
import type { ApplicationSpec, NotificationTiming } from '../types.ts';
import { callSubscriber } from '../../kit/push/call-subscriber.ts';
import type { PushRecord } from '../../kit/push/sender.ts';
import { signNotification } from './sign.ts';
import type { Notice } from './types.ts';
import { verifySubscriber, type Verification } from './verify-subscriber.ts';

const noticesPerRequest = 100;
const queuedNoticesMax = 10_000;

/** Tells one application about changes: in batches, one request at a time, with a few retries. */
export interface Notifier {
  announce(notice: Notice): void;
  /** Registers another URL, or the same anew: asks the two verification questions and enables a disabled subscriber. */
  register(url: string, verificationCode: string): Promise<Verification>;
  state(): 'none' | 'unverified' | 'enabled' | 'disabled';
  /** Resolves when nothing is waiting or under way. */
  settled(): Promise<void>;
}

export interface NotifierContext {
  readonly statistics: StatisticsBook;
  readonly timing: NotificationTiming;
  readonly closing: AbortSignal;
  /** Told of every request to a subscriber and of its answer. */
  readonly onSent?: (sent: PushRecord) => void;
}

/** Throws RangeError when the subscriber of the application is not a URL. */
export function createNotifier(application: ApplicationSpec, { statistics, timing, closing, onSent }: NotifierContext): Notifier {
  const deadlineMs = timing.deadlineMs ?? 5000;
  const retryDelaysMs = timing.retryDelaysMs ?? [1000, 5000];
  let subscriber = { url: application.subscriberUrl, code: application.verificationCode ?? '' };
  let state: ReturnType<Notifier['state']> = subscriber.url === undefined ? 'none' : 'unverified';
  if (subscriber.url !== undefined && !/^https?:/.test(URL.parse(subscriber.url)?.protocol ?? ''))
    throw new RangeError('subscriberUrl must be an http or https URL');
  let failuresInRow = 0;
  let queue: Notice[] = [];
  let running: Promise<void> | undefined;

  async function verify(): Promise<Verification> {
    if (subscriber.url === undefined)
      throw new AppError({ code: 'subscriber_missing', kind: 'invalid', message: 'The application has no subscriber' });
    const verification = await verifySubscriber(subscriber.url, subscriber.code, deadlineMs, closing);
    statistics.verification(verification.isVerified);
    failuresInRow = 0;
    state = verification.isVerified ? 'enabled' : 'unverified';
    return verification;
  }

  async function send(notices: readonly Notice[]): Promise<boolean> {
    const body = JSON.stringify(notices);
    const headers = { 'content-type': 'application/json', 'x-fitbit-signature': signNotification(body, application.clientSecret) };
    for (const delayMs of [0, ...retryDelaysMs]) {
      if (delayMs > 0) await sleep(delayMs, closing);
      if (closing.aborted) return false;
      // A subscriber may have come up after the simulator: it is verified when it is first needed.
      if (state === 'unverified' && !(await verify()).isVerified) continue;
      statistics.notification('sent', notices.length);
      const url = subscriber.url ?? '';
      const status = await callSubscriber({ url, method: 'POST', headers, body, deadlineMs, signal: closing });
      onSent?.({ url, body, headers, status });
      if (status === 204) return true;
    }
    return false;
  }

  async function run(): Promise<void> {
    while (queue.length > 0 && !closing.aborted) {
      await sleep(timing.batchMs ?? 100, closing);
      const batch = distinct(queue.slice(0, noticesPerRequest));
      queue = queue.slice(noticesPerRequest);
      if (state === 'disabled') {
        statistics.notification('dropped', batch.length);
        continue;
      }
      const isAccepted = await send(batch);
      statistics.notification(isAccepted ? 'accepted' : 'failed', batch.length);
      failuresInRow = isAccepted ? 0 : failuresInRow + 1;
      if (failuresInRow >= (timing.failuresMax ?? 10)) state = 'disabled';
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined;
      if (queue.length > 0 && !closing.aborted) start();
    });
  }

  return {
    announce(notice) {
      if (state === 'none' || closing.aborted || queue.length >= queuedNoticesMax) return statistics.notification('dropped', 1);
      queue.push(notice);
      start();
    },
    register(url, code) {
      subscriber = { url, code };
      return verify();
    },
    state: () => state,
    async settled() {
      while (running) await running;
    },
  };
}

function distinct(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [JSON.stringify(notice), notice])).values()];
}
