import { describe, expect, it } from 'vitest';
import type { ValidationError } from '@pulsewire/contract';
import { readValue } from './read-value.ts';
import type { SchemaNode } from './schema-node.ts';

const login: SchemaNode = {
  type: 'object',
  properties: { username: { type: 'string' }, password: { type: 'string', format: 'password' } },
  required: ['username', 'password'],
};

function inputsOf(value: unknown, node: SchemaNode = login): unknown[] {
  const errors: ValidationError[] = [];
  readValue(node, value, ['body'], { part: 'body', errors });
  return errors.map(({ input }) => input);
}

it('a refused value of more than 4 kB is not repeated, however many of its fields are missing', () => {
  expect(inputsOf({ note: 'x'.repeat(5000) })).toEqual([null, null]);
  expect(inputsOf({ note: 'short' })).toEqual([{ note: 'short' }, { note: 'short' }]);
});

describe('a rejected secret', () => {
  it('is not repeated when the error is beside it, in it, or in an enclosing value', () => {
    expect(inputsOf({ password: 'hunter2', note: 1 })).toEqual([{ password: '***', note: 1 }]);
    expect(inputsOf({ username: 'me', password: 12_345 })).toEqual(['***']);
    expect(inputsOf('{"username":"me","password":"hunter2"}')).toEqual(['***']);
    const several: SchemaNode = {
      type: 'object',
      properties: { name: { type: 'string' }, logins: { type: 'array', items: login } },
      required: ['name'],
    };
    expect(inputsOf({ logins: [{ password: 'hunter2' }] }, several)).toEqual([{ logins: '***' }, { password: '***' }]);
  });

  it('does not hide values that are not secrets', () => {
    expect(inputsOf({ username: 5, password: 'x' })).toEqual([5]);
  });
});
