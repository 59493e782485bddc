import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, type Database } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import type { SimulatedAccount, SimulatorEntry } from '@pulsewire/sandbox';
import { problemsAgainst } from './against-truth.ts';
import { problemsWithDeletions } from './found-deletions.ts';
import { expectLoginRefusals } from './refused-logins.ts';
import { digestOf, eventsOf, linesOf, quarantinedOf, readableVaultOf, samplesOf, summariesOf } from './stored.ts';
import { badDay, createConformanceWorld, type ConformanceWorld, type Linked } from './world.ts';

const limitMs = 90_000;

/** What every provider must show, by its simulator. Parts are left out only where the simulator does not declare them. */
export function describeProvider(database: { readonly current: Database }, connector: Connector, entry: SimulatorEntry): void {
  const { slug } = connector;
  describe(`${slug}: every provider`, () => {
    let world: ConformanceWorld;
    let account: SimulatedAccount;
    let main: Linked;
    let history: readonly string[];
    const secrets = new Set<string>();
    const collectSecrets = async () => (await world.secrets()).forEach((secret) => secrets.add(secret));

    beforeAll(async () => {
      world = await createConformanceWorld(database.current, connector, entry);
      account = world.simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York', backlogMinutes: 12 * 60 });
    }, limitMs);
    afterAll(() => world.close());
    // What a failed test left switched on must not fail the next one.
    beforeEach(() => world.simulator.faults.clear());

    type Window = { lane: string; state: string; error_code: string | null; pull: string };
    const windowsOf = ({ connectionId }: Linked) => database.current.sql<Window[]>`
      SELECT lane, state, error_code, pull FROM pull_windows WHERE connection_id = ${connectionId}`;
    const statusOf = async ({ connectionId }: Linked) => {
      const [row] = await database.current.sql<{ status: string; error_type: string | null }[]>`
        SELECT status, error_type FROM connections WHERE connection_id = ${connectionId}`;
      return row;
    };
    // What is read may be answered by pushes, and what is pushed be read: a second round sees both.
    const settle = async () => {
      for (let round = 0; round < (world.simulator.pushes ? 2 : 1); round++) {
        await world.simulator.pushes?.settled();
        await world.drainAll();
      }
    };

    test(
      'tells what a link that comes to nothing failed for',
      async () => {
        const { auth, mfa } = world.simulator.capabilities;
        const userId = await world.newUser();
        if (auth === 'oauth') {
          expect(await world.attempt(userId, account, { decision: 'deny' })).toMatchObject({ state: 'error', errorType: 'user_cancelled' });
          world.simulator.faults.force('token_http_503', 5);
          expect(await world.attempt(userId, account)).toMatchObject({ state: 'error', errorType: 'provider_api_error' });
          world.simulator.faults.clear();
        } else await expectLoginRefusals(database.current, world, userId, account);
        if (mfa === true) {
          const careful = world.simulator.addAccount({ name: 'Careful Carla', timeZone: 'Europe/Berlin', wantsMfa: true });
          expect(await world.attempt(userId, careful, { mfaCode: '000000' })).toMatchObject({
            state: 'error',
            errorType: 'incorrect_mfa_code',
          });
          const carefulUser = await world.newUser();
          expect(await world.attempt(carefulUser, careful)).toMatchObject({ state: 'success' });
          await settle();
          await world.deregister(carefulUser);
        }
      },
      limitMs,
    );

    test(
      'reads the history across the borders of its chunks, each resource completed once',
      async () => {
        main = await world.link(account);
        await collectSecrets();
        await settle();
        const windows = await windowsOf(main);
        expect(windows.filter((window) => window.state !== 'done' || window.error_code !== null)).toEqual([]);
        history = await linesOf(database.current, main.userId);
        expect(history.length).toBeGreaterThan(0);
        // Whatever a provider is known to send is understood.
        expect(await quarantinedOf(database.current, main.connectionId)).toEqual([]);
        const completed = await eventsOf(database.current, main.userId, 'historical.%');
        expect(new Set(completed).size).toBe(completed.length);
        if (windows.some((window) => window.lane === 'backfill')) expect(completed).not.toEqual([]);
      },
      limitMs,
    );

    test('stores what the person did: at the right instants, on the right local days, in our units', async () => {
      if (!account.truth) return;
      const stored = {
        summaries: await summariesOf(database.current, main.userId),
        samples: await samplesOf(database.current, main.userId),
      };
      const range = [addDays(world.today, 1 - world.days), addDays(world.today, -1)] as const;
      expect(problemsAgainst(account.truth, range, stored, Object.keys(connector.resources))).toEqual([]);
      const streams = await database.current.sql`SELECT 1 FROM workout_streams WHERE user_id = ${main.userId}`;
      const present = new Set([...stored.summaries, ...stored.samples].map(({ resource }) => resource));
      if (streams.length > 0) present.add('workout_stream');
      const absent = world.simulator.capabilities.absent ?? [];
      expect(Object.keys(connector.resources).filter((name) => !present.has(name) && !absent.includes(name))).toEqual([]);
      expect([...present].filter((name) => !Object.hasOwn(connector.resources, name))).toEqual([]);
      await expect(JSON.stringify(await digestOf(database.current, main.userId), null, 1)).toMatchFileSnapshot(
        `../../../../packages/providers/src/${connector.slug}/fixtures/conformance.expected.json`,
      );
    });

    test(
      'read again from the start, changes nothing and emits nothing',
      async () => {
        const before = (await eventsOf(database.current, main.userId, 'daily.%')).length;
        await world.readAgain(main.connectionId);
        await settle();
        expect(await linesOf(database.current, main.userId)).toEqual(history);
        expect((await eventsOf(database.current, main.userId, 'daily.%')).length).toBe(before);
      },
      limitMs,
    );

    test(
      'on bad days stores the same as on good ones: 429, 5xx, slow, cut and garbled answers, tokens that end early',
      async () => {
        const { faults } = world.simulator;
        faults.set(badDay);
        for (const kind of ['http_500', 'cut', 'malformed_json', 'rate_limited', 'slow'] as const) faults.force(kind, 1);
        if (world.simulator.capabilities.refresh) faults.force('token_expired_early', 1);
        const bad = await world.linkPatiently(account);
        await collectSecrets();
        await settle();
        faults.clear();
        expect(Object.values(faults.counts()).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4);
        expect((await windowsOf(bad)).filter((window) => window.lane === 'backfill' && window.state !== 'done')).toEqual([]);
        expect(await linesOf(database.current, bad.userId)).toEqual(await linesOf(database.current, main.userId));
        await world.deregister(bad.userId);
      },
      limitMs,
    );

    test(
      'sets a broken item aside with its reason and stores the good ones',
      async () => {
        world.simulator.faults.force('malformed_item', 10_000);
        const odd = await world.linkPatiently(account);
        await settle();
        const strikes = world.simulator.faults.counts().malformed_item ?? 0;
        world.simulator.faults.clear();
        expect(strikes).toBeGreaterThan(0);
        // A broken part may take the item along that it stands in, such as a night with one bad stage.
        const whole = new Set(await linesOf(database.current, main.userId));
        const stored = await linesOf(database.current, odd.userId);
        expect(stored.filter((line) => !whole.has(line))).toEqual([]);
        expect(stored.length).toBeGreaterThan(whole.size * 0.7);
        await world.deregister(odd.userId);
        const aside = await quarantinedOf(database.current, odd.connectionId);
        expect(aside.length).toBeGreaterThan(0);
        expect(aside.filter(({ reason }) => !['missing_field', 'bad_time', 'bad_number', 'unknown_shape'].includes(reason))).toEqual([]);
      },
      limitMs,
    );

    test(
      'reads what is new, and figures that the provider revised',
      async () => {
        const known = (await eventsOf(database.current, main.userId, 'daily.data.%.created')).length;
        world.clock.advance((world.simulator.capabilities.newDataMinutes ?? 20) * 60_000);
        account.makeNewData();
        await settle();
        if (world.simulator.pushes === null) await world.poll();
        await settle();
        await world.poll();
        await settle();
        expect((await eventsOf(database.current, main.userId, 'daily.data.%.created')).length).toBeGreaterThan(known);
        const revised = (await eventsOf(database.current, main.userId, 'daily.data.%.updated')).length;
        account.revise();
        await settle();
        await world.poll();
        await settle();
        expect((await eventsOf(database.current, main.userId, 'daily.data.%.updated')).length).toBeGreaterThan(revised);
      },
      limitMs,
    );

    test(
      'takes out what the provider took back',
      async () => {
        for (const kind of world.simulator.capabilities.removes) {
          const resource = kind === 'workout' ? 'workouts' : 'sleep';
          const count = async () => (await summariesOf(database.current, main.userId)).filter((row) => row.resource === resource).length;
          const before = await count();
          expect(account.remove(kind)).not.toEqual([]);
          await settle();
          await world.poll();
          await settle();
          expect({ kind, count: await count() }).toEqual({ kind, count: before - 1 });
        }
      },
      limitMs,
    );

    test(
      'takes a push that is right, refuses one that is forged, and lets a repeated one change nothing',
      async () => {
        const { pushes } = world.simulator;
        if (!pushes || !connector.push) return;
        const { acceptedStatus, rejectedStatus } = connector.push;
        expect(pushes.log.some(({ status }) => status === acceptedStatus)).toBe(true);
        const inbox = async () =>
          Number(
            (await database.current.sql<{ count: string }[]>`SELECT count(*) FROM push_inbox WHERE provider = ${connector.slug}`)[0]?.count,
          );
        const kept = await inbox();
        expect(await pushes.forge()).toBe(rejectedStatus);
        expect(await inbox()).toBe(kept);
        const events = (await eventsOf(database.current, main.userId, 'daily.%')).length;
        expect([acceptedStatus, rejectedStatus]).toContain(await pushes.replay());
        await settle();
        expect((await eventsOf(database.current, main.userId, 'daily.%')).length).toBe(events);
        expect(await pushes.sendForStranger()).toBe(acceptedStatus);
        await settle();
        const open = await database.current.sql`SELECT 1 FROM push_inbox WHERE provider = ${connector.slug} AND state <> 'done'`;
        expect(open).toHaveLength(0);
        const strangers = await database.current.sql`SELECT 1 FROM push_inbox WHERE provider = ${connector.slug} AND unknown_users > 0`;
        expect(strangers.length).toBeGreaterThan(0);
      },
      limitMs,
    );

    test(
      'renews tokens that ended, time after time',
      async () => {
        if (!world.simulator.capabilities.refresh) return;
        for (let round = 0; round < 2; round++) {
          account.expireTokens();
          await world.poll();
          await settle();
          await collectSecrets();
          expect(await statusOf(main)).toEqual({ status: 'connected', error_type: null });
        }
      },
      limitMs,
    );

    test(
      'asks for access back when the user disconnects here',
      async () => {
        if (!world.simulator.capabilities.revocation || world.simulator.capabilities.hasNoRevocationCall === true) return;
        const leaver = world.simulator.addAccount({ name: 'Leaving Leo', timeZone: 'Europe/Berlin', historyDays: 3 });
        const gone = await world.link(leaver);
        await settle();
        expect(leaver.consents()).toBe(1);
        await world.deregister(gone.userId);
        expect(leaver.consents()).toBe(0);
        expect(await statusOf(gone)).toBeUndefined();
      },
      limitMs,
    );

    test(
      'stops, and says so once, when the user withdraws the consent at the provider',
      async () => {
        if (!world.simulator.capabilities.revocation) return;
        account.revoke();
        await settle();
        const pollOnce = () => world.poll().then(settle);
        await pollOnce().then(pollOnce);
        expect((await statusOf(main))?.status).toBe('error');
        expect(await eventsOf(database.current, main.userId, 'provider.connection.error')).toHaveLength(1);
        const asked = world.simulator.requests.length;
        await world.poll();
        await settle();
        expect(world.simulator.requests.length).toBe(asked);
      },
      limitMs,
    );

    test(
      'removes what the account no longer has once its days are read again, unless a part cannot be read',
      async () => expect(await problemsWithDeletions(database.current, world)).toEqual([]),
      // History is read seven times.
      3 * limitMs,
    );

    test('writes no token, password, secret or health value into a log line, nor a secret readable into the raw vault', async () => {
      await collectSecrets();
      expect(world.lines.length).toBeGreaterThan(10);
      const [text, vault] = [world.lines.join('\n'), await readableVaultOf(database.current, slug)];
      expect(vault.length).toBeGreaterThan(0);
      expect([...secrets].filter((secret) => text.includes(secret) || vault.includes(secret)).length).toBe(0);
      expect(text).not.toMatch(/"(?:value|records|samples|body|data)":\s*[[{"\d]/);
    });
  });
}
