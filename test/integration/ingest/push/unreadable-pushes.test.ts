import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Connector } from '@pulsewire/providers';
import { findConnector } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { sendPush, startIngest, withPush } from '../support/push-harness.ts';
import { createHarness, today, type Harness } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE push_inbox, push_bodies`;
});
afterEach(() => harness.close());

const inbox = async () =>
  (await database.current.sql`SELECT state, error_code, notices, unreadable_notices, unknown_users, attempts FROM push_inbox`)[0];
const bodies = async () => (await database.current.sql`SELECT 1 FROM push_bodies`).length;
const { push: fitbitPush } = findConnector('fitbit') as Connector & { readonly push: NonNullable<Connector['push']> };
const { push: garminPush } = findConnector('garmin') as Connector & { readonly push: NonNullable<Connector['push']> };

/** Pushes with the signature of the wristband and the shape of another provider. */
const shapedAs = ({ parse, bodyBytesMax, inParts }: typeof fitbitPush) =>
  withPush(harness, { parse, bodyBytesMax, ...(inParts && { inParts }) });

describe('a signed push full of unreadable notices', () => {
  test('is processed in one job, which applies the valid notices and counts the others', async () => {
    const connector = shapedAs(fitbitPush);
    const { providerUserId } = await harness.link();
    const good = { collectionType: 'body', date: today, ownerId: providerUserId };
    const bad = [...Array.from({ length: 3000 }, () => 1), { ...good, ownerId: 'nobody\0' }, { ...good, ownerId: 'nobody\uD800' }];
    await sendPush(database.current, harness, connector, [...bad, good, { ...good, ownerId: 'stranger' }]);
    const ingest = startIngest(harness, connector);
    harness.wristband.calls.length = 0;
    await ingest.drain();
    expect(await inbox()).toMatchObject({
      state: 'done',
      error_code: 'notices_unreadable',
      notices: 2,
      unreadable_notices: 3002,
      unknown_users: 1,
      attempts: 0,
    });
    expect(harness.wristband.calls.length).toBeGreaterThan(0);
  });

  test('is abandoned after ten thousand of them, with its body and the reason kept', async () => {
    const connector = shapedAs(garminPush);
    await sendPush(database.current, harness, connector, { dailies: Array.from({ length: 100_000 }, () => 1) });
    await startIngest(harness, connector).drain();
    expect(await inbox()).toMatchObject({ state: 'unreadable', error_code: 'too_many_unreadable', notices: 0 });
    expect((await inbox())?.['unreadable_notices']).toBeLessThanOrEqual(20_000);
    expect(await bodies()).toBe(1);
  });
});
