import { addDays } from '@pulsewire/kernel';
import { describe, expect, it } from 'vitest';
import { historyDays, hourMs, today } from './harness.ts';
import { bothGoogle, daily, limitMs, useHandover } from './use-handover.ts';

const use = useHandover({ hasAllResources: true });

/** When the successor's first day begins in Berlin. */
const cutMs = Date.parse('2026-03-12T23:00:00Z');

interface StoredSpan {
  readonly provider: string;
  readonly resource: string;
  readonly first: number;
  readonly last: number;
}

/** First and last sample of each series of a user, by provider, in ms. */
async function spansOf(userId: string): Promise<readonly StoredSpan[]> {
  return use.database.current.sql<StoredSpan[]>`
    SELECT provider, resource, min(date_part('epoch', ts) * 1000) AS first, max(date_part('epoch', ts) * 1000) AS last
    FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series) WHERE user_id = ${userId} GROUP BY 1, 2 ORDER BY 1, 2`;
}

describe('linking google_health beside the fitbit connection of the same person', () => {
  it(
    'reads every day from one of them, ends the old one and keeps its data',
    async () => {
      const { userId, accounts } = await use.people.startWithFitbit('Moving Mona');
      await use.harness.link('google_health', userId, 'Moving Mona');
      await use.harness.drainAll();
      expect(await use.people.providersOf(userId)).toEqual(['fitbit connected', 'google_health connected']);
      expect((await spansOf(userId)).filter(({ provider }) => provider === 'google_health')).toEqual([]);
      for (let step = 0; step < 3; step++) await use.harness.pass(16 * hourMs, accounts.fitbit, accounts.google);
      for (const resource of ['activity', 'sleep'] as const) {
        const { fitbit, google } = await use.people.daysOf(userId, resource);
        expect(fitbit.length).toBeGreaterThan(historyDays - 1);
        expect(fitbit.filter((day) => day > today)).toEqual([]);
        expect(google.length).toBeGreaterThan(0);
        expect(google.filter((day) => day <= today)).toEqual([]);
      }
      const spans = await spansOf(userId);
      const isWrong = ({ provider, first, last }: StoredSpan) => (provider === 'fitbit' ? last >= cutMs : first < cutMs);
      expect(spans.filter(isWrong)).toEqual([]);
      expect(new Set(spans.map(({ provider }) => provider)).size).toBe(2);
      expect(await use.harness.endHandedOver()).toMatchObject({ connections: 0 });
      await use.pass({ accounts }, 2.5);
      expect(await use.harness.endHandedOver()).toEqual({ connections: 1, next: null, errors: [] });
      await use.harness.settleDeregistrations();
      expect(await use.people.providersOf(userId)).toEqual(['google_health connected']);
      expect(await use.people.removedOf(userId)).toHaveLength(1);
      expect([accounts.fitbit.consents(), accounts.google.consents()]).toEqual([0, 1]);
      expect((await use.people.daysOf(userId, 'activity')).fitbit.at(-1)).toBe(today);
      await use.harness.call('DELETE', `/v2/user/${userId}/google_health`);
      await use.harness.link('google_health', userId, 'Moving Mona');
      await use.harness.drainAll();
      expect((await use.people.daysOf(userId, 'activity')).google.filter((day) => day <= today)).toEqual([]);
    },
    limitMs,
  );
});

describe('linking google_health beside the google_fit connection of the same person', () => {
  it(
    'reads each day of a resource from one of them, and google_fit keeps what google_health lacks',
    async () => {
      const started = await use.people.startWithGoogleFit('Walking Wanda');
      const { userId } = started;
      const linkedOn = use.harness.localDay();
      await use.harness.link('google_health', userId, 'Walking Wanda');
      await use.harness.drainAll();
      await use.pass(started, 1, 1);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of daily) {
        expect([resource, days.missing(resource)]).toEqual([resource, []]);
        expect(days.fit(resource)[0]).toBe(addDays(linkedOn, -historyDays));
        expect(days.fit(resource).filter((day) => day > linkedOn)).toEqual([]);
        expect(days.health(resource).filter((day) => day > linkedOn)).not.toEqual([]);
      }
      // What the other one does not have at all is read as before.
      expect(days.fit('blood_pressure')).not.toEqual([]);
      expect(days.health('hrv').filter((day) => day < linkedOn)).not.toEqual([]);
      expect(await use.harness.endHandedOver()).toMatchObject({ connections: 0, errors: [] });
      expect(await use.people.providersOf(userId)).toEqual(bothGoogle);
      expect(await use.people.removedOf(userId)).toEqual([]);
    },
    limitMs,
  );
});
