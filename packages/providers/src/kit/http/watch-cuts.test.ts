import { describe, expect, it } from 'vitest';
import type { ProviderCall, ProviderSend } from '../types/connector.ts';
import { watchForCuts } from './watch-cuts.ts';

const answering =
  (...bodies: readonly unknown[]): ProviderSend =>
  async () => {
    const body = bodies[calls++];
    return { status: 200, headers: {}, body, bytes: Buffer.alloc(0), version: 1n };
  };
let calls = 0;

async function isCut(bodies: readonly unknown[], asked: readonly ProviderCall[]): Promise<boolean> {
  calls = 0;
  const watch = watchForCuts(answering(...bodies));
  for (const call of asked) await watch.send('GET', '/items', call);
  return watch.mayBeCut();
}

const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

describe('a reading may have been cut', () => {
  it.each<readonly [string, unknown, ProviderCall, boolean]>([
    ['as long as its page', { items: items(3) }, { query: { limit: '3' } }, true],
    ['a bare list as long as its page', items(3), { query: { per_page: '3' } }, true],
    ['longer than its page', { data: { rows: items(4) } }, { form: { limit: '3' } }, true],
    ['asked for in JSON', { rollupDataPoints: items(2) }, { json: { pageSize: 2, range: {} } }, true],
    ['shorter than its page', { items: items(2) }, { query: { limit: '3' } }, false],
    ['not asked for by size', { items: items(3) }, { query: { date: '2026-03-01' } }, false],
    ['said to be the last', { items: items(3), next_token: null }, { query: { limit: '3' } }, false],
    ['said to go on, where the connector stops', { items: items(3), pagination: { next: '/more' } }, { query: { limit: '3' } }, false],
    ['one item that was asked for', items(1), { query: { limit: '1' } }, false],
  ])('when its answer is %s', async (_what, body, call, expected) => {
    expect(await isCut([body], [call])).toBe(expected);
  });

  it('unless the next page was read and is shorter', async () => {
    const pages = [items(2), items(2), items(1)];
    const asked = ['1', '2', '3'].map((page) => ({ query: { per_page: '2', page } }));
    expect(await isCut(pages, asked)).toBe(false);
    expect(await isCut(pages.slice(0, 2), asked.slice(0, 2))).toBe(true);
  });

  it('when one of several questions was, whatever the others say', async () => {
    const asked = ['a', 'b'].map((kind) => ({ query: { limit: '2', kind } }));
    expect(await isCut([items(2), items(1)], asked)).toBe(true);
  });
});
