import { connectors } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { describeProvider } from './describe-provider.ts';

const database = useDatabase();

describe('every registered connector', () => {
  test('every registered connector has a simulator', () => {
    const simulated = new Set(simulators.map(({ slug }) => slug));
    expect(connectors.filter(({ slug }) => !simulated.has(slug)).map(({ slug }) => slug)).toEqual([]);
  });
});

for (const [index, connector] of connectors.entries()) {
  const entry = simulators.find(({ slug }) => slug === connector.slug);
  if (entry && index % 2 === 0) describeProvider(database, connector, entry);
}
