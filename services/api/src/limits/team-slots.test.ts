import { describe, expect, it } from 'vitest';
import { createTeamSlots, waitingMax } from './team-slots.ts';

interface Read {
  readonly teamId: string;
  end(): void;
}

/** Reads that end on request, in the order in which they began. */
function stage(connectionsMax: number) {
  const slots = createTeamSlots(connectionsMax);
  const running: Read[] = [];
  const begin = (teamId: string, count = 1) =>
    Array.from({ length: count }, () =>
      slots.run(
        teamId,
        () =>
          new Promise<void>((resolve) => {
            running.push({ teamId, end: resolve });
          }),
      ),
    );
  const of = (teamId: string) => running.filter((read) => read.teamId === teamId).length;
  return { begin, of, running };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('team slots', () => {
  it('limit a single active team to about half of the connections, so that others find some', async () => {
    const { begin, of } = stage(11);
    void begin('heavy', 50);
    await settled();
    expect(of('heavy')).toBe(5);
    for (const team of ['b', 'c', 'd']) void begin(team, 1);
    await settled();
    expect([of('b'), of('c'), of('d')]).toEqual([1, 1, 1]);
  });

  it('serve waiting teams in turn', async () => {
    const { begin, running } = stage(2);
    const reads = ['a', 'a', 'a', 'b', 'b', 'c'].flatMap((team) => begin(team));
    const order = [];
    for (let i = 0; i < reads.length; i += 1) {
      await settled();
      order.push(running[i]?.teamId);
      running[i]?.end();
    }
    await Promise.all(reads);
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
  });

  it('release the slot when a request fails, and reject requests beyond the waiting limit', async () => {
    const slots = createTeamSlots(2);
    await expect(slots.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(slots.run('a', async () => 'read')).resolves.toBe('read');
    const { begin } = stage(2);
    const reads = begin('a', waitingMax + 2);
    await expect(reads.at(-1)).rejects.toMatchObject({ code: 'requests_crowded', kind: 'rate_limited' });
  });
});
