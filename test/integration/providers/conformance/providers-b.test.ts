import { connectors } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { describeProvider } from './describe-provider.ts';

const database = useDatabase();

// The second half of the providers, so that two processes share the work.
for (const [index, connector] of connectors.entries()) {
  const entry = simulators.find(({ slug }) => slug === connector.slug);
  if (entry && index % 2 === 1) describeProvider(database, connector, entry);
}

describe('the registry', () => {
  test('is not empty', () => expect(connectors.length).toBeGreaterThan(0));
});
