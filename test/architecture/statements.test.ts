import { expect, it } from 'vitest';
import { handWrittenStatements, statementsOf } from './sources/statements.ts';
import { statementsByHand } from './statements.ts';

it('distinguishes ordinary statements from those that need handwritten SQL', () => {
  const reasonOf = (statement: string) => statementsOf('x.ts', `await tx.sql<Row[]>\`${statement}\`;`).map(({ reason }) => reason);
  const ordinary = [
    'SELECT a FROM t WHERE b = ${b} ORDER BY a LIMIT 1',
    'SELECT t.a FROM t JOIN u USING (b) WHERE c IN (1, 2)',
    'INSERT INTO t (a, b) VALUES (${a}, ${b}) ON CONFLICT DO NOTHING',
    'INSERT INTO t (a, b) VALUES (${a}, ${b}) ON CONFLICT (a) DO UPDATE SET b = excluded.b',
    'UPDATE t SET a = a + 1 WHERE b = ${b} AND c IS DISTINCT FROM 1 RETURNING extract(epoch FROM a)',
    'DELETE FROM t WHERE a < now() - make_interval(days => ${days})',
  ];
  expect(ordinary.flatMap(reasonOf)).toEqual(ordinary.map(() => null));
  expect(
    [
      'SELECT a FROM t WHERE b = ${b} FOR UPDATE SKIP LOCKED',
      'SELECT pg_notify(${channel}, ${payload})',
      'INSERT INTO t (a) SELECT a FROM unnest(${all}::int[]) AS n(a)',
      'UPDATE t SET a = n.a FROM u n WHERE t.b = n.b',
      'DELETE FROM t WHERE a = ANY(${all}::uuid[])',
      'DELETE FROM t WHERE a IN (SELECT a FROM t WHERE b < ${b} LIMIT 100)',
      'INSERT INTO t (a, b) VALUES (${a}, ${b}) ON CONFLICT (a) DO UPDATE SET b = excluded.b WHERE t.b < excluded.b',
      'SELECT a FROM t WHERE (a, b) > (${a}, ${b})',
      'SELECT a FROM t WHERE NOT EXISTS (SELECT FROM u WHERE u.a = t.a)',
      'SELECT 1',
      'SELECT a FROM ${table}',
    ].flatMap(reasonOf),
  ).toEqual(['lock', 'notify', 'setBased', 'setBased', 'setBased', 'setBased', 'upsert', 'plan', 'plan', 'server', 'composed']);
});

it('finds statements under every form of the tag, and the fragments within them', () => {
  const code = [
    'sql`SELECT a FROM t`;',
    'this.#options.database.sql`DELETE FROM t`;',
    'sql`SELECT a FROM t ${isLocked ? sql`FOR UPDATE` : sql``}`;',
    'eq(a, sql`lower(${b})`);',
    'html`SELECT`;',
  ].join('\n');
  expect(statementsOf('x.ts', code).map(({ line, reason }) => [line, reason])).toEqual([
    [1, null],
    [2, null],
    [3, 'lock'],
  ]);
});

it('uses drizzle for ordinary reads and writes, except those listed with a reason', () => {
  const ordinary = handWrittenStatements().filter(({ reason }) => reason === null);
  const counts = Object.fromEntries([...Map.groupBy(ordinary, ({ file }) => file)].map(([file, all]) => [file, all.length]));
  const listed = Object.fromEntries(Object.entries(statementsByHand).map(([file, [count]]) => [file, count]));
  expect(counts).toEqual(listed);
});
