import { expect, it } from 'vitest';
import { silentLogger, type Logger } from '@pulsewire/kernel';
import { logLevel } from 'kafkajs';
import { createLogCreator } from './log-creator.ts';

function record(): { logger: Logger; lines: { level: string; fields: object; event: string }[] } {
  const lines: { level: string; fields: object; event: string }[] = [];
  const at = (level: string) => (fields: object, event: string) => void lines.push({ level, fields, event });
  return { logger: { ...silentLogger, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines };
}

const entry = (level: logLevel, message: string, more: object = {}) => ({
  namespace: 'Runner',
  level,
  label: 'x',
  log: { timestamp: '', message, ...more },
});

it('logs rebalances and restarts at debug level and real errors as warnings', () => {
  const { logger, lines } = record();
  const write = createLogCreator(logger)(logLevel.INFO);
  write(entry(logLevel.ERROR, 'Response Heartbeat(key: 12, version: 3)', { error: 'The group is rebalancing, so a rejoin is needed' }));
  write(entry(logLevel.ERROR, 'Response SaslHandshake', { error: 'SASL Authentication failed' }));
  write(entry(logLevel.INFO, 'Consumer has joined the group'));
  expect(lines.map((line) => line.level)).toEqual(['debug', 'warn', 'debug']);
});

it('logs positions and counts but nothing that could hold a record or a password', () => {
  const { logger, lines } = record();
  createLogCreator(logger)(logLevel.INFO)(
    entry(logLevel.ERROR, 'Bad', { topic: 't', partition: 3, payload: 'secret', stack: 'at …', error: { value: 'secret' } }),
  );
  expect(lines[0]?.fields).toEqual({ component: 'Runner', message: 'Bad', topic: 't', partition: 3 });
});
