import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('without brokers no Kafka code is loaded', () => {
  const url = new URL('./create-log.ts', import.meta.url).href;
  const program = `
    import { createRequire } from 'node:module';
    const { createLog } = await import(${JSON.stringify(url)});
    const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
    await createLog({ config: { kafkaBrokers: [] }, database: {}, logger: quiet, metrics: {} });
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    process.stdout.write(String(loaded.filter((file) => /kafkajs|schemaregistry|avsc/.test(file)).length));`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })).toBe('0');
});
