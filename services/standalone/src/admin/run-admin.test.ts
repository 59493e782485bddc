import { expect, test } from 'vitest';
import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { loadConfig } from '@pulsewire/runtime';
import { adminHelp, adminOptions, runAdmin } from './run-admin.ts';
import type { AdminContext } from './command/command.ts';

async function printed(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const context = { kafka: loadConfig(kafkaConfig, env), print: (line: string) => void lines.push(line) } as unknown as AdminContext;
  return { code: await runAdmin(words, context), text: lines.join('\n') };
}

test('prints no usage when a command fails for another reason than its arguments', async () => {
  const withoutBrokers = await printed(['topics', 'check']);
  expect(withoutBrokers).toEqual({ code: 1, text: 'This command needs KAFKA_BROKERS.' });
  const withBrokersAway = await printed(['topics', 'check'], { KAFKA_BROKERS: '127.0.0.1:1' });
  expect(withBrokersAway.code).toBe(1);
  expect(withBrokersAway.text).not.toContain('Usage');
});

test('accepts every option that the help names', () => {
  const named = [...adminHelp().matchAll(/ \[?--([a-z-]+)/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(Object.keys(adminOptions)));
});

test('prints the usage of a command with wrong arguments', async () => {
  expect((await printed(['teams', 'create', '--nonsense'])).text).toContain('Usage: teams create');
  expect((await printed(['log', 'forget'])).text).toContain('Usage: log forget');
});
