import { addDays } from '@pulsewire/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import type { SimulatedAccount, SimulatorEntry } from '@pulsewire/sandbox';
import { problemsAgainst } from './against-truth.ts';
import { problemsWithDeletions } from './found-deletions.ts';
import { expectLoginRefusals, expectMfaRefusal, failedConsents } from './refused-logins.ts';
import { expectPushRules } from './pushes/push-rules.ts';
import { lastDaysOf } from './last-days.ts';
import { pollUntilError } from './poll-until-error.ts';
import { rules } from './rules.ts';
import {
  digestOf,
  eventsOf,
  linesOf,
  quarantinedOf,
  readableVaultOf,
  samplesOf,
  statusOf,
  summariesOf,
  windowsOf,
  withoutRawOf,
} from './stored.ts';
import { badDay } from './bad-day.ts';
import { digestFile, type Variant } from './variant.ts';
import { createConformanceHarness, type ConformanceHarness, type Linked } from './harness.ts';

const limitMs = 90_000;
/** Of the accounts before the history that is read: simulators show all of it, and a few pages of it are enough. */
const olderDays = 30;
const dayMs = 86_400_000;
const ada = { name: 'Ada Lovelace', timeZone: 'America/New_York', backlogMinutes: 12 * 60 };

/** The conformance suite, run for one provider against its simulator. A part is skipped only where the simulator does not declare it. */
export function describeProvider(
  database: { readonly current: Database },
  connector: Connector,
  entry: SimulatorEntry,
  way?: Variant,
): void {
  const { slug } = connector;
  describe(`${slug}${way === undefined ? '' : `-${way.name}`}: every provider`, () => {
    let harness: ConformanceHarness;
    let account: SimulatedAccount;
    let main: Linked;
    let history: readonly string[];
    const secrets = new Set<string>();
    const collectSecrets = async () => (await harness.secrets()).forEach((secret) => secrets.add(secret));

    beforeAll(async () => {
      harness = await createConformanceHarness(database.current, connector, entry, way);
      account = harness.simulator.addAccount({ ...ada, historyDays: harness.days + olderDays });
    }, limitMs);
    afterAll(() => harness.close());
    // A failed test may have left faults switched on.
    beforeEach(() => harness.simulator.faults.clear());

    // Pulls may cause pushes, and pushes may cause pulls: two rounds cover both.
    const settle = async () => {
      for (let round = 0; round < (harness.simulator.pushes ? 2 : 1); round++) {
        await harness.simulator.pushes?.settled();
        await harness.drainAll();
      }
    };

    const settleAndPoll = async () => {
      if (harness.simulator.pushes) await settle();
      await harness.poll().then(settle);
    };

    test(
      'reports why a link failed',
      async () => {
        const { auth, mfa } = harness.simulator.capabilities;
        const userId = await harness.newUser();
        if (auth === 'oauth') {
          const oauthErrors = [{ errorType: 'user_cancelled' }, { errorType: 'provider_api_error' }];
          expect(await failedConsents(harness, userId, account), rules.failedLink).toMatchObject(oauthErrors);
        } else await expectLoginRefusals(database.current, harness, userId, account);
        if (mfa === true) await expectMfaRefusal(harness, settle);
      },
      limitMs,
    );

    test(
      'reads the history across chunk boundaries and completes each resource once',
      async () => {
        main = await harness.link(account);
        await collectSecrets();
        await settle();
        const windows = await windowsOf(database.current, main.connectionId);
        const unfinished = windows.filter((window) => window.state !== 'done' || window.error_code !== null);
        expect(unfinished, rules.historyDone).toEqual([]);
        history = await linesOf(database.current, main.userId);
        expect(history.length, rules.historyStored).toBeGreaterThan(0);
        expect(await quarantinedOf(database.current, main.connectionId), rules.nothingQuarantined).toEqual([]);
        expect(await withoutRawOf(database.current, main.userId), rules.rawKept).toEqual([]);
        const completed = await eventsOf(database.current, main.userId, 'historical.%');
        expect(new Set(completed).size, rules.completedOnce).toBe(completed.length);
        if (windows.some((window) => window.lane === 'backfill')) expect(completed, rules.completedOnce).not.toEqual([]);
      },
      limitMs,
    );

    test('stores records at the right instants, on the right local days and in our units', async () => {
      if (!account.truth) return;
      const stored = {
        summaries: await summariesOf(database.current, main.userId),
        samples: await samplesOf(database.current, main.userId),
      };
      const range = [addDays(harness.today, 1 - harness.days), addDays(harness.today, -1)] as const;
      expect(problemsAgainst(account.truth, range, stored, Object.keys(connector.resources)), rules.matchesTruth).toEqual([]);
      const streams = await database.current.sql`SELECT 1 FROM workout_streams WHERE user_id = ${main.userId}`;
      const present = new Set([...stored.summaries, ...stored.samples].map(({ resource }) => resource));
      if (streams.length > 0) present.add('workout_stream');
      const absent = harness.simulator.capabilities.absent ?? [];
      const unstored = Object.keys(connector.resources).filter((name) => !present.has(name) && !absent.includes(name));
      expect(unstored, rules.resourcesStored).toEqual([]);
      expect(
        [...present].filter((name) => !Object.hasOwn(connector.resources, name)),
        rules.resourcesDeclared,
      ).toEqual([]);
      await expect(JSON.stringify(await digestOf(database.current, main.userId, stored), null, 1)).toMatchFileSnapshot(
        digestFile(slug, way),
      );
    });

    test(
      'changes nothing and emits nothing when the history is read again',
      async () => {
        const before = (await eventsOf(database.current, main.userId, 'daily.%')).length;
        await harness.readAgain(main.connectionId);
        await settle();
        expect(await linesOf(database.current, main.userId), rules.readAgain).toEqual(history);
        expect((await eventsOf(database.current, main.userId, 'daily.%')).length, rules.readAgain).toBe(before);
      },
      limitMs,
    );

    test(
      'stores the same when calls fail with 429, 5xx, cut or malformed bodies, or expired tokens',
      async () => {
        const { faults } = harness.simulator;
        faults.set(badDay);
        for (const kind of ['http_500', 'cut', 'malformed_json', 'rate_limited', 'slow'] as const) faults.force(kind, 1);
        if (harness.simulator.capabilities.refresh) faults.force('token_expired_early', 1);
        const { days, fromMs } = lastDaysOf(harness, history);
        const bad = await harness.linkPatiently(account, { historyDaysMax: days });
        await collectSecrets();
        await settle();
        faults.clear();
        const failedCalls = Object.values(faults.counts()).reduce((sum, count) => sum + count, 0);
        expect(failedCalls, rules.faultsHappened).toBeGreaterThan(4);
        const unfinished = (await windowsOf(database.current, bad.connectionId)).filter(
          (window) => window.lane === 'backfill' && window.state !== 'done',
        );
        expect(unfinished, rules.badDay).toEqual([]);
        const stored = await linesOf(database.current, bad.userId, fromMs);
        expect(stored, rules.badDay).toEqual(await linesOf(database.current, main.userId, fromMs));
        await harness.deregister(bad.userId);
      },
      limitMs,
    );

    test(
      'quarantines a broken item with its reason and stores the good ones',
      async () => {
        harness.simulator.faults.force('malformed_item', 10_000);
        const { days, fromMs } = lastDaysOf(harness, history);
        const odd = await harness.linkPatiently(account, { historyDaysMax: days });
        await settle();
        const strikes = harness.simulator.faults.counts().malformed_item ?? 0;
        harness.simulator.faults.clear();
        expect(strikes, rules.faultsHappened).toBeGreaterThan(0);
        // A broken part may cause its whole item to be left out, such as a night with one bad stage.
        const whole = new Set(await linesOf(database.current, main.userId, fromMs === undefined ? undefined : fromMs - 3 * dayMs));
        const stored = await linesOf(database.current, odd.userId);
        const foreign = stored.filter((line) => !whole.has(line));
        expect(foreign, rules.goodItemsStored).toEqual([]);
        const wanted = (await linesOf(database.current, main.userId, fromMs)).length;
        expect(stored.length, rules.goodItemsStored).toBeGreaterThan(wanted * 0.7);
        await harness.deregister(odd.userId);
        const aside = await quarantinedOf(database.current, odd.connectionId);
        expect(aside.length, rules.brokenItemQuarantined).toBeGreaterThan(0);
        const oddReasons = aside.filter(({ reason }) => !['missing_field', 'bad_time', 'bad_number', 'unknown_shape'].includes(reason));
        expect(oddReasons, rules.brokenItemQuarantined).toEqual([]);
      },
      limitMs,
    );

    test(
      'reads new data and figures that the provider revised',
      async () => {
        const known = (await eventsOf(database.current, main.userId, 'daily.data.%.created')).length;
        harness.clock.advance((harness.simulator.capabilities.newDataMinutes ?? 20) * 60_000);
        account.makeNewData();
        await settleAndPoll();
        expect((await eventsOf(database.current, main.userId, 'daily.data.%.created')).length, rules.newData).toBeGreaterThan(known);
        const revised = (await eventsOf(database.current, main.userId, 'daily.data.%.updated')).length;
        account.revise();
        await settleAndPoll();
        expect((await eventsOf(database.current, main.userId, 'daily.data.%.updated')).length, rules.revisions).toBeGreaterThan(revised);
      },
      limitMs,
    );

    test(
      'removes what the provider deleted',
      async () => {
        const { removes } = harness.simulator.capabilities;
        if (removes.length === 0) return;
        const countAll = async () => {
          const stored = Map.groupBy(await summariesOf(database.current, main.userId), ({ resource }) => resource);
          return removes.map((kind) => ({ kind, count: stored.get(kind === 'workout' ? 'workouts' : 'sleep')?.length ?? 0 }));
        };
        const before = await countAll();
        for (const kind of removes) expect(account.remove(kind), rules.removals).not.toEqual([]);
        await settle();
        await settleAndPoll();
        expect(await countAll(), rules.removals).toEqual(before.map(({ kind, count }) => ({ kind, count: count - 1 })));
      },
      limitMs,
    );

    test(
      'accepts a genuine push, rejects a forged one, and changes nothing on a repeated one',
      async () => {
        const { pushes } = harness.simulator;
        const { push } = connector;
        if (!pushes || !push) return;
        const hasAccepted = pushes.log.some(({ status }) => status === push.acceptedStatus);
        expect(hasAccepted, rules.pushAccepted).toBe(true);
        await expectPushRules(database.current, pushes, { slug, push }, main.userId, settle);
      },
      limitMs,
    );

    test(
      'renews expired tokens each time',
      async () => {
        if (!harness.simulator.capabilities.refresh) return;
        for (let round = 0; round < 2; round++) {
          account.expireTokens();
          await harness.poll().then(settle);
          await collectSecrets();
          expect(await statusOf(database.current, main.connectionId), rules.renewal).toEqual({ status: 'connected', error_type: null });
        }
      },
      limitMs,
    );

    test(
      'revokes the access when the user disconnects here',
      async () => {
        if (!harness.simulator.capabilities.revocation || harness.simulator.capabilities.hasNoRevocationCall === true) return;
        const leaver = harness.simulator.addAccount({ name: 'Leaving Leo', timeZone: 'Europe/Berlin', historyDays: 3 });
        const gone = await harness.link(leaver, {}, 1);
        await settle();
        expect(leaver.consents()).toBe(1);
        await harness.deregister(gone.userId);
        expect(leaver.consents(), rules.disconnect).toBe(0);
        expect(await statusOf(database.current, gone.connectionId), rules.disconnect).toBeUndefined();
      },
      limitMs,
    );

    test(
      'stops and emits one event when the user withdraws the consent at the provider',
      async () => {
        if (!harness.simulator.capabilities.revocation) return;
        account.revoke();
        await settle();
        await pollUntilError(database.current, harness, main.connectionId, settle);
        expect((await statusOf(database.current, main.connectionId))?.status, rules.withdrawal).toBe('error');
        expect(await eventsOf(database.current, main.userId, 'provider.connection.error'), rules.withdrawal).toHaveLength(1);
        const requested = harness.simulator.requests.length;
        await harness.poll().then(settle);
        expect(harness.simulator.requests.length, rules.withdrawal).toBe(requested);
      },
      limitMs,
    );

    test(
      'removes what the account no longer has when its days are read again completely',
      async () => expect(await problemsWithDeletions(database.current, harness), rules.deletions).toEqual([]),
      // The history is read three times.
      2 * limitMs,
    );

    test('writes no secret or health value into log lines, and no readable secret into the raw vault', async () => {
      await collectSecrets();
      expect(harness.lines.length).toBeGreaterThan(10);
      const [text, vault] = [harness.lines.join('\n'), await readableVaultOf(database.current, slug)];
      expect(vault.length).toBeGreaterThan(0);
      expect([...secrets].filter((secret) => text.includes(secret) || vault.includes(secret)).length, rules.noSecrets).toBe(0);
      expect(text, rules.noSecrets).not.toMatch(/"(?:value|records|samples|body|data)":\s*[[{"\d]/);
    });
  });
}
