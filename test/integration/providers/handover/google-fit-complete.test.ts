import { addDays } from '@pulsewire/kernel';
import { findConnector } from '@pulsewire/providers';
import { describe, expect, it } from 'vitest';
import { hourMs } from './harness.ts';
import { daily, limitMs, useHandover } from './use-handover.ts';

const use = useHandover();
const fitScopes = findConnector('google_fit')?.oauth?.scopes ?? [];

/** More days than a poll reads again. */
const longDays = 9;

/** Both accounts of one person, each with data of some days back, and a user without a connection. */
async function addBoth(name: string, knownDays: { readonly fit: number; readonly health: number }) {
  const { harness } = use;
  const fit = harness.addPerson(harness.googleFit, name, knownDays.fit);
  const health = harness.addPerson(harness.google, name, knownDays.health);
  return { name, userId: await harness.newUser(longDays), accounts: { fit, health } };
}

/** What an application's quota does to a history. */
async function holdHistory(userId: string, provider: string): Promise<void> {
  const until = new Date(use.harness.clock.now().getTime() + 1.5 * hourMs).toISOString();
  await use.database.current.sql`
    UPDATE pull_plans SET backfill_resume_at = ${until} WHERE user_id = ${userId} AND provider = ${provider}`;
}

/** Days from `first` on that are stored from both, or that only one has and neither is stored of. */
async function wrongDays(userId: string, first: string): Promise<readonly string[]> {
  const days = await use.people.resourceDays(userId);
  const wrong = daily.flatMap((resource) => {
    const [oldest = 'never'] = [...days.fit(resource), ...days.health(resource)].toSorted();
    // Samples are accepted a day before the user's first.
    return [
      ...(oldest > first ? [`${resource} begins ${oldest}`] : []),
      ...days.missing(resource).map((day) => `${resource} lacks ${day}`),
    ];
  });
  return [...days.doubles, ...wrong];
}

describe('google_health linked while the history of google_fit is still being read', () => {
  it(
    'delivers the days and the resources that google_fit turns out to lack',
    async () => {
      const { name, userId, accounts } = await addBoth('Early Eve', { fit: 7, health: 12 });
      const first = addDays(use.harness.localDay(), -longDays);
      const scopes = fitScopes.filter((scope) => !scope.includes('sleep'));
      await use.harness.link('google_fit', userId, name, scopes);
      await holdHistory(userId, 'google_fit');
      await use.harness.link('google_health', userId, name);
      await use.harness.drainAll();
      await use.pass({ accounts }, 0.1, 0.1);
      const { fit } = await use.people.resourceDays(userId);
      expect([fit('sleep'), fit('steps').length > 0]).toEqual([[], true]);
      expect(await wrongDays(userId, first)).toEqual([]);
    },
    limitMs,
  );

  it(
    'and linked at the same moment leaves no day unread and none read twice',
    async () => {
      const { name, userId, accounts } = await addBoth('Instant Ina', { fit: 7, health: 12 });
      const first = addDays(use.harness.localDay(), -longDays);
      await Promise.all([use.harness.link('google_health', userId, name), use.harness.link('google_fit', userId, name)]);
      await use.harness.drainAll();
      await use.pass({ accounts }, 0.1, 0.1);
      expect(await wrongDays(userId, first)).toEqual([]);
    },
    limitMs,
  );
});

describe('google_fit linked beside the google_health connection of the same person', () => {
  it(
    'delivers the days before the first of google_health, which may still be reading its history',
    async () => {
      for (const isHeld of [false, true]) {
        const { name, userId, accounts } = await addBoth(isHeld ? 'Older Otto' : 'Older Ona', { fit: 12, health: 7 });
        const first = addDays(use.harness.localDay(), -longDays);
        await use.harness.link('google_health', userId, name);
        if (isHeld) await holdHistory(userId, 'google_health');
        else await use.harness.drainAll();
        await use.harness.link('google_fit', userId, name);
        await use.harness.drainAll();
        await use.pass({ accounts }, 1, 0.1);
        expect(await wrongDays(userId, first)).toEqual([]);
      }
    },
    limitMs,
  );
});
