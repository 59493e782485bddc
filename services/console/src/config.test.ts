import { expect, it } from 'vitest';
import { loadConfig } from '@pulsewire/runtime';
import { consoleConfigFields } from './config.ts';

const env = {
  DATABASE_URL: 'postgres://h/x',
  LINK_TOKEN_SECRET: 'an0ther-secret-of-more-than-32-characters',
  BASE_URL: 'https://x.example',
};

it('listens and links with the addresses of its settings', () => {
  expect(loadConfig(consoleConfigFields, { ...env, LINK_WEB_URL: 'https://x.example/link' })).toMatchObject({
    host: '127.0.0.1',
    baseUrl: 'https://x.example',
  });
});

it.each([
  ['BASE_URL', 'https://u:p@x.example'],
  ['BASE_URL', 'https://x.example/?a=b'],
  ['LINK_WEB_URL', 'https://x.example/link#a'],
  ['HOST', '256.1.1.1'],
])('refuses %s=%s, to which no page could be appended or bound', (name, text) => {
  expect(() => loadConfig(consoleConfigFields, { ...env, [name]: text })).toThrow(
    expect.objectContaining({ details: { problems: [expect.stringMatching(new RegExp(`^${name} must be `))] } }),
  );
});
