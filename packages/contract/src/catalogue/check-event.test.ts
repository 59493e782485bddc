import { expect, it } from 'vitest';
import { eventFamilies } from '../events/events.ts';
import { exampleBody } from './schema-examples.ts';
import { findEventProblem } from './check-event.ts';

interface Body {
  readonly data: Readonly<Record<string, unknown>>;
}

const example = (name: string) => exampleBody(eventFamilies.find((family) => family.name === name) ?? expect.fail(name)) as Body;

it('accepts the example of every event type', () => {
  expect(eventFamilies.map((family) => findEventProblem(exampleBody(family))).filter((problem) => problem !== undefined)).toEqual([]);
});

it.each([
  ['a text instead of a number', { calories_total: 'many' }, /^daily\.data\.activity\.created \/data\/calories_total: /],
  ['a missing field', { id: undefined }, /^daily\.data\.activity\.created \/data: /],
])('reports %s with the event type and the path', (_, changes, problem) => {
  const body = example('daily.data.activity');
  expect(findEventProblem(JSON.parse(JSON.stringify({ ...body, data: { ...body.data, ...changes } })))).toMatch(problem);
});

it('rejects a body of an unknown type, and one without a type', () => {
  expect(findEventProblem({ ...example('daily.data.activity'), event_type: 'no.such.type' })).toBe(
    'no.such.type: there is no schema of this type',
  );
  expect(findEventProblem([])).toBe('unknown: the body names no event_type');
});
