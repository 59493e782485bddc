import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { simulators } from './all.ts';

const applications = [{ clientId: 'app', clientSecret: 'secret', redirectUris: ['http://127.0.0.1/callback'] }];

test('every simulator has public recordings, except for the provider without a public interface', () => {
  const folder = new URL('../data/recorded/', import.meta.url);
  const without = simulators.filter(({ slug }) => !existsSync(new URL(`${slug}/holds.json`, folder)));
  expect(without.map(({ slug }) => slug)).toEqual(['beurer_api']);
});

describe.each(simulators)('the simulator of $slug', ({ slug, start }) => {
  test('starts with the URLs that its connector needs, and closes', async () => {
    const simulator = await start({ applications });
    try {
      const { endpoints, capabilities } = simulator;
      expect(simulator.slug).toBe(slug);
      const addresses = capabilities.auth === 'oauth' ? [endpoints.authorizeUrl, endpoints.tokenUrl] : [endpoints.apiBaseUrl];
      for (const address of addresses) expect(address).toContain(simulator.url);
      expect(simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'Europe/Berlin' }).consents()).toBe(0);
    } finally {
      await simulator.close();
    }
  });
});
