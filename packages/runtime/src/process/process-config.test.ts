import { expect, it } from 'vitest';
import { checkPorts } from './process-config.ts';

const health = { healthHost: '127.0.0.1', healthPort: 9090 };

it.each(['127.0.0.1', 'localhost', '0.0.0.0', '::'])('refuses one port for requests at %s and for health', (host) => {
  expect(() => checkPorts({ ...health, host, port: 9090 })).toThrow(
    expect.objectContaining({
      code: 'config_invalid',
      details: { problems: ['HEALTH_PORT must be another port than PORT, or 0 for a free one'] },
    }),
  );
});

it('refuses it when health is served on every address', () => {
  expect(() => checkPorts({ host: '10.0.0.5', port: 9090, healthHost: '0.0.0.0', healthPort: 9090 })).toThrow();
});

it('accepts other ports, free ports, the same port of another address, and a process without requests', () => {
  expect(() => checkPorts({ ...health, host: '127.0.0.1', port: 8080 })).not.toThrow();
  expect(() => checkPorts({ host: '127.0.0.1', port: 0, healthHost: '127.0.0.1', healthPort: 0 })).not.toThrow();
  expect(() => checkPorts({ ...health, host: '10.0.0.5', port: 9090 })).not.toThrow();
  expect(() => checkPorts(health)).not.toThrow();
});
