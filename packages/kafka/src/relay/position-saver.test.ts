import type { Database } from '@pulsewire/database';
import type { Position } from '@pulsewire/eventlog';
import { silentLogger, sleep } from '@pulsewire/kernel';
import { expect, it } from 'vitest';
import { PositionSaver } from './position-saver.ts';

it('saves a position without waiting for the next one, whenever it is noted', async () => {
  const saved: Position[] = [];
  const database = { transaction: (work: (tx: object) => Promise<void>) => work({}) } as unknown as Database;
  const positions = () => ({
    savePositions: async (_tx: unknown, some: readonly Position[]) => void saved.push(...some),
    saved: async () => {},
  });
  const saver = new PositionSaver({ database, logger: silentLogger, positions });
  const at = (offset: number) => ({ shard: 0, offset, day: '2026-01-01', epoch: 1 });
  for (let ticks = 0; ticks < 30; ticks++) {
    saver.note([at(ticks * 2)], []);
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    saver.note([at(ticks * 2 + 1)], []);
    await sleep(1);
    expect(saved.at(-1)?.offset).toBe(ticks * 2 + 1);
  }
  await saver.drain(AbortSignal.timeout(1000));
});
