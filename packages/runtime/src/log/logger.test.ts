import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { newTrace, runWithTrace } from './trace.ts';

function collect(level: 'debug' | 'info') {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  return { lines, logger: createLogger({ name: 'api', level, destination }) };
}

it('writes one line per event with service, level and the fields of the child', () => {
  const { lines, logger } = collect('info');
  logger.child({ team_id: 't1' }).warn({ attempt: 2 }, 'delivery.attempted');
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', service: 'api', team_id: 't1', attempt: 2, event: 'delivery.attempted' }),
  ]);
});

it('writes nothing below its level', () => {
  const { lines, logger } = collect('info');
  logger.debug({}, 'delivery.attempted');
  expect(lines).toEqual([]);
});

it('hides secrets in fields and in the fields of a child', () => {
  const { lines, logger } = collect('info');
  logger.child({ token: 'abc' }).info({ nested: { password: 'abc' } }, 'link.completed');
  expect(JSON.stringify(lines)).not.toContain('abc');
});

it('adds the trace id of the calling work', async () => {
  const { lines, logger } = collect('info');
  const trace = newTrace();
  await runWithTrace(trace, async () => {
    await Promise.resolve();
    logger.info({}, 'pull.finished');
  });
  expect(lines[0]).toMatchObject({ traceId: trace.traceId });
});
