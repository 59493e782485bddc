import { addDays } from '../calendar.ts';
import { callSubscriber } from '../kit/push/call-subscriber.ts';
import type { Change } from '../kit/person/types.ts';
import type { PushRecord } from '../kit/push/sender.ts';
import type { ProviderSimulator, RequestRecord, SimulatedAccount, SimulatedPushes, SimulatorEntry } from '../kit/types.ts';
import { hash32 } from '../seeded.ts';
import { createSimulatorClock } from '../simulator-clock.ts';
import { demoAccounts } from './accounts/demo-accounts.ts';
import { createFitbitSimulator, type AccountHandle, type FitbitSimulator } from './simulator.ts';
import { signNotification } from './subscriptions/sign.ts';
import type { PublishOutcome } from './publish.ts';

const dayMinutes = 1440;
const volunteers = demoAccounts(10).map((spec) => spec.recordedUser);

const kindOf = { activities: 'activity', sleep: 'sleep', body: 'body', foods: 'activity', userRevokedAccess: 'activity' } as const;

function changesOf({ changes }: PublishOutcome, action: Change['action']): Change[] {
  return changes.map(({ collection, date }) => {
    const startMs = Date.parse(`${date}T00:00:00Z`);
    return { kind: kindOf[collection], action, date, id: date, uuid: date, startMs, endMs: startMs + dayMinutes * 60_000 };
  });
}

function toAccount(simulator: FitbitSimulator, handle: AccountHandle): SimulatedAccount {
  return {
    name: handle.name,
    providerUserId: handle.ownerId,
    timeZone: handle.timeZone,
    credentials: { username: handle.name, password: '', region: null, mfaCode: null },
    email: '',
    truth: null,
    makeNewData: () => changesOf(simulator.publish({ account: handle.name, minutes: 3 * dayMinutes }), 'created'),
    // `deleteLogs` of a Fitbit account does this for a day.
    deleteSilently: () => [],
    deleteMornings: () => [],
    revise: () => changesOf(simulator.publish({ account: handle.name, minutes: 0, revise: 20 }), 'updated'),
    remove: () => [],
    revoke: () => handle.revoke(),
    expireTokens: () => handle.expireTokens(),
    consents: () => handle.consents(),
  };
}

/** Its requests by kind and status; the paths are not kept. */
function requestsOf(simulator: FitbitSimulator): RequestRecord[] {
  return Object.entries(simulator.statistics().requests).flatMap(([kind, statuses]) =>
    Object.entries(statuses).flatMap(([status, count]) =>
      Array.from({ length: count }, (): RequestRecord => {
        return { method: '', path: kind, query: '', status: status === 'cut' ? 'cut' : Number(status), kind };
      }),
    ),
  );
}

function pushesOf(simulator: FitbitSimulator, log: readonly PushRecord[], secretOf: (url: string) => string): SimulatedPushes {
  const send = ({ url, body, headers }: Omit<PushRecord, 'status'>) =>
    callSubscriber({ url, method: 'POST', headers, body, deadlineMs: 5000, signal: AbortSignal.timeout(5000) });
  const signed = (body: string, secret: string) => ({
    'content-type': 'application/json',
    'x-fitbit-signature': signNotification(body, secret),
  });
  return {
    log,
    async registerPush(clientId, { callbackUrl, verificationCode }) {
      const verification = await simulator.registerSubscriber(clientId, { url: callbackUrl, verificationCode });
      return verification.isVerified;
    },
    settled: () => simulator.notificationsSettled(),
    async replay() {
      const last = log.at(-1);
      return last && send(last);
    },
    async forge() {
      const last = log.at(-1);
      return last && send({ ...last, headers: signed(last.body, 'forged') });
    },
    async sendForStranger() {
      const last = log.at(-1);
      if (!last) return undefined;
      const today = new Date().toISOString().slice(0, 10);
      const body = JSON.stringify([
        { collectionType: 'activities', date: addDays(today, 0), ownerId: 'ZZZZZZ', ownerType: 'user', subscriptionId: '1' },
      ]);
      return send({ url: last.url, body, headers: signed(body, secretOf(last.url)) });
    },
  };
}

/** The simulator with recorded data, under the control that all simulators share. */
export const fitbitEntry: SimulatorEntry = {
  slug: 'fitbit',
  async start(options): Promise<ProviderSimulator> {
    const { clock, speed = 1, seed, stateFile, port, host, applications } = options;
    const log: PushRecord[] = [];
    const simulator = await createFitbitSimulator({
      applications,
      accounts: [],
      clock: createSimulatorClock({ ...(clock && { clock }), speed }),
      notifications: { batchMs: 1, retryDelaysMs: [options.pushRetryMs ?? 1000] },
      onNotificationSent: (sent) => void log.push(sent),
      ...(seed !== undefined && { seed }),
      ...(stateFile !== undefined && { stateFile }),
      ...(port !== undefined && { port }),
      ...(host !== undefined && { host }),
    });
    const secret = applications[0]?.clientSecret ?? '';
    return {
      slug: 'fitbit',
      url: simulator.url,
      endpoints: simulator.endpoints,
      capabilities: {
        auth: 'oauth',
        refresh: true,
        revocation: true,
        push: { registration: 'portal', isSigned: true, tellsRevocation: true },
        removes: [],
        pages: false,
        truth: false,
        // A day has 17,000 readings of the heart rate.
        conformanceDays: 2,
      },
      get accounts() {
        return simulator.accounts.map((handle) => toAccount(simulator, handle));
      },
      addAccount({ name, timeZone, historyDays, backlogMinutes }) {
        const recordedUser = volunteers[hash32(name) % volunteers.length] ?? volunteers[0] ?? '';
        const spec = { name, timeZone, recordedUser, historyDays: historyDays ?? 400, backlogMinutes: backlogMinutes ?? 60 };
        return toAccount(simulator, simulator.addAccount(spec));
      },
      faults: simulator.faults,
      get requests() {
        return requestsOf(simulator);
      },
      pushes: pushesOf(simulator, log, () => secret),
      close: () => simulator.close(),
    };
  },
};
