import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { systemClock, uuidToBase62 } from '@pulsewire/kernel';
import { firstShardCount, generationOf, readShardCount } from '@pulsewire/eventlog';
import { runAdmin } from '../../../services/standalone/src/admin/run-admin.ts';
import { useDatabase } from '../../support/database.ts';
import { useHarness } from './harness.ts';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';

const file = useDatabase({ connectionsMax: 20 });
const createHarness = useHarness(file);
const admin = program('services/standalone/src/admin.ts');

/** `npm run admin -- <arguments>`, as an operator runs it while other processes run. */
async function run(...words: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...processEnv, DATABASE_URL: file.url };
  return promisify(execFile)(process.execPath, [admin, ...words], { env }).then(
    (done) => ({ code: 0, ...done }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

it('adds shards and starts generations by command without losing events of running dispatchers', { timeout: 60_000 }, async () => {
  const harness = await createHarness();
  const { receiver } = await harness.endpoint();
  for (let i = 0; i < 2; i++) harness.start();
  const sent = await harness.emit(20);
  const generation = async () => {
    const [row] = await file.current.sql<{ next: string }[]>`SELECT next_offset AS next FROM log_shards WHERE shard = 0`;
    return generationOf(Number(row?.next));
  };
  const first = await generation();
  const grown = await run('log', 'reshard', String(firstShardCount * 2));
  // With the log on Kafka, the line before it reports that the partitions were not checked.
  expect(grown).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Started generation ${first + 1} with ${firstShardCount * 2} shards.\n`),
  });
  expect(await readShardCount(file.current)).toBe(firstShardCount * 2);
  sent.push(...(await harness.emit(20)));
  expect(await run('log', 'new-generation')).toMatchObject({
    code: 0,
    stdout: `Started generation ${first + 2}. Consumers continue from the positions in the database.\n`,
  });
  expect(await generation()).toBe(first + 2);
  sent.push(...(await harness.emit(20)));
  await expect.poll(() => receiver.ids, { timeout: 30_000 }).toEqual(new Set(sent.map(({ eventId }) => `msg_${uuidToBase62(eventId)}`)));
  await harness.caughtUp();
  expect((await run('log', 'lag')).stdout).toContain('dispatcher: 0 events behind');
});

/** The same command without a process, whose start takes longer than the command. */
async function runHere(...words: readonly string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const context = { database: file.current, clock: systemClock, kafka: { kafkaBrokers: [] } };
  const code = await runAdmin(words, { ...context, print: (line: string) => void lines.push(line) } as never);
  return { code, text: lines.join('\n') };
}

it('explains the error and the usage when the log cannot have that number of shards', { timeout: 120_000 }, async () => {
  await createHarness();
  const usage = 'Usage: log reshard <shards>';
  for (const [words, problem] of [
    [['many'], '<shards> must be a whole number, not many.'],
    [['96'], `The log has ${firstShardCount} shards; the new number must be a power of two above that`],
    [['32'], `The log has ${firstShardCount} shards; the new number must be a power of two above that`],
    [['128', '--fast'], "Unknown option '--fast'"],
  ] as const) {
    const { code, text } = await runHere('log', 'reshard', ...words);
    expect(code).toBe(1);
    expect(text).toContain(problem);
    expect(text).toContain(usage);
  }
  const { code, stdout, stderr } = await run('log', 'reshard');
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toContain('Argument <shards> is missing.');
  expect(stdout).toContain(usage);
  expect((await run('log', 'grow')).code).toBe(64);
  expect(await readShardCount(file.current)).toBe(firstShardCount);
});
