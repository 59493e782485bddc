import { findConnector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { afterEach, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, type ConformanceHarness } from './conformance/harness.ts';

const database = useDatabase();
let harness: ConformanceHarness;
afterEach(() => harness.close());

test.each([
  ['comes back in the redirect address only', 'Ada Lovelace'],
  ['comes back twice', 'Stateful Ada'],
])(
  'a link succeeds where the state %s',
  async (_how, name) => {
    const [connector, entry] = [findConnector('ihealth'), simulators.find(({ slug }) => slug === 'ihealth')];
    if (!connector || !entry) throw new Error('ihealth is not registered');
    harness = await createConformanceHarness(database.current, connector, entry);
    const account = harness.simulator.addAccount({ name, timeZone: 'America/New_York', historyDays: 4, wantsMfa: false });
    expect(await harness.attempt(await harness.newUser(), account)).toMatchObject({ state: 'success' });
  },
  120_000,
);
