import { connectors } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { describeProvider } from './describe-provider.ts';

const database = useDatabase();

describe('every registered connector', () => {
  test('has a simulator, and every simulator a connector', () => {
    expect(simulators.map(({ slug }) => slug).toSorted()).toEqual(connectors.map(({ slug }) => slug).toSorted());
  });
});

for (const [index, connector] of connectors.entries()) {
  const entry = simulators.find(({ slug }) => slug === connector.slug);
  if (entry && index % 2 === 0) describeProvider(database, connector, entry);
}
