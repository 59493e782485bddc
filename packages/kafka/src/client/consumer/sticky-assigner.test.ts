import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sharePartitions } from './sticky-assigner.ts';

const members = fc.tuple(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 8 })).chain(([partitions, count]) =>
  fc.record({
    partitions: fc.constant(Array.from({ length: partitions }, (_, n) => n)),
    claims: fc.tuple(
      ...Array.from({ length: count }, (_, n) =>
        fc.uniqueArray(fc.integer({ min: 0, max: partitions + 2 })).map((claimed) => ({ memberId: `m${n}`, partitions: claimed })),
      ),
    ),
  }),
);

const sorted = (shares: Map<string, number[]>) => [...shares].sort(([a], [b]) => (a < b ? -1 : 1));

it('assigns every partition to exactly one member, balanced to within one', () => {
  fc.assert(
    fc.property(members, ({ partitions, claims }) => {
      const shares = [...sharePartitions(partitions, claims).values()];
      expect(shares.flat().sort((a, b) => a - b)).toEqual(partitions);
      const sizes = shares.map((share) => share.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});

it('changes nothing in a group that did not change', () => {
  fc.assert(
    fc.property(members, ({ partitions, claims }) => {
      const before = sharePartitions(partitions, claims);
      const after = sharePartitions(
        partitions,
        [...before].map(([memberId, own]) => ({ memberId, partitions: own })),
      );
      expect(sorted(after)).toEqual(sorted(before));
    }),
  );
});

it('moves only its share to a new member', () => {
  fc.assert(
    fc.property(members, ({ partitions, claims }) => {
      const before = sharePartitions(partitions, claims);
      const after = sharePartitions(partitions, [
        ...[...before].map(([memberId, own]) => ({ memberId, partitions: own })),
        { memberId: 'new', partitions: [] },
      ]);
      for (const [memberId, own] of before) expect(own).toEqual(expect.arrayContaining(after.get(memberId) ?? []));
    }),
  );
});

it('computes the same shares for every order of the members', () => {
  fc.assert(
    fc.property(members, ({ partitions, claims }) => {
      expect(sorted(sharePartitions(partitions, claims.toReversed()))).toEqual(sorted(sharePartitions(partitions, claims)));
    }),
  );
});
