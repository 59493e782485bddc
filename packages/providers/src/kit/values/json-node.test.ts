import type { Quarantined } from '@pulsewire/contract';
import { describe, expect, it } from 'vitest';
import { JsonNode, readEach, readWhole } from './json-node.ts';

describe('readEach', () => {
  it('keeps the good items and quarantines each bad one with its pointer and without its value', () => {
    const quarantined: Quarantined[] = [];
    const body = { 'a/b': [{ n: 1 }, { n: 'secret' }, {}, null, { n: '2.5' }] };
    const read = readEach('steps', new JsonNode(body).at('a/b'), quarantined, (item) => item.at('n').number());
    expect(read).toEqual([1, 2.5]);
    expect(quarantined).toEqual([
      { resource: 'steps', reason: 'bad_number', pointer: '/a~1b/1/n' },
      { resource: 'steps', reason: 'missing_field', pointer: '/a~1b/2/n' },
      { resource: 'steps', reason: 'missing_field', pointer: '/a~1b/3/n' },
    ]);
    expect(JSON.stringify(quarantined)).not.toContain('secret');
  });

  it('quarantines the value when it is not a list', () => {
    const quarantined: Quarantined[] = [];
    expect(readEach('steps', new JsonNode({ list: 5 }).at('list'), quarantined, (item) => item)).toEqual([]);
    expect(quarantined).toEqual([{ resource: 'steps', reason: 'unknown_shape', pointer: '/list' }]);
  });

  it('rethrows programming errors', () => {
    const fault = (): never => {
      throw new TypeError('our own');
    };
    expect(() => readWhole('steps', [], fault)).toThrow('our own');
  });
});

describe('a list with only unreadable items', () => {
  it('is quarantined in a bounded number of entries, without stacks, and keeps good items', () => {
    const list = new JsonNode([...Array.from({ length: 50_000 }, () => 1), { day: '2026-03-14' }]);
    const quarantined: Quarantined[] = [];
    expect(readEach('sleep', list, quarantined, (item) => item.at('day').day())).toEqual(['2026-03-14']);
    expect(quarantined).toHaveLength(1000);
    expect(quarantined.at(-1)).toEqual({ resource: 'sleep', reason: 'too_many', pointer: '' });
    expect(new JsonNode(1).fail('bad_text').stack).not.toMatch(/\n/);
    expect(new Error('Another').stack).toMatch(/\n/);
  });
});

describe('text that cannot be stored unchanged', () => {
  it.each(['a\0', '\uD800', 'x\uDC80'])('is rejected in texts and ids: %j', (broken) => {
    for (const read of [() => new JsonNode(broken).text(), () => new JsonNode(broken).id()])
      expect(read).toThrow(expect.objectContaining({ reason: 'bad_text' }));
  });

  it('is repaired in human-readable text', () => {
    expect(new JsonNode('Run \uD83D\0').words()).toBe('Run \uFFFD');
  });
});

describe('JsonNode', () => {
  it.each([Number.NaN, Infinity, '', ' 1', '0x10', '1e999', true, [], '1,5'])('does not accept %j as a number', (value) => {
    expect(() => new JsonNode(value).number()).toThrow('cannot be parsed');
  });

  it('reads ids without rounding them', () => {
    expect(new JsonNode(44112233).id()).toBe('44112233');
    expect(new JsonNode('9007199254740993').id()).toBe('9007199254740993');
    expect(() => new JsonNode(1.5).id()).toThrow();
    expect(() => new JsonNode('').id()).toThrow();
  });

  it('sees only keys of the object itself', () => {
    expect(new JsonNode({}).at('constructor').isMissing).toBe(true);
    expect(new JsonNode(null).at('a').at('b').pointer).toBe('/a/b');
  });

  it('rejects negative amounts', () => {
    expect(() => new JsonNode(-1).amount()).toThrow();
  });
});

describe('an optional value', () => {
  it.each([undefined, null, '', ' ', 'None', 'null', 'NaN', 'N/A'])('is null where the provider writes %j', (value) => {
    const node = new JsonNode({ value }).at('value');
    expect(node.optional((inner) => inner.number())).toBeNull();
    expect(node.itemsOrNone()).toEqual([]);
  });

  it('is unreadable where it is neither blank nor usable', () => {
    const node = new JsonNode({ value: 'many' }).at('value');
    expect(() => node.optional((inner) => inner.number())).toThrow();
    expect(() => node.itemsOrNone()).toThrow();
  });

  it('keeps a blank text that is a value', () => {
    expect(new JsonNode('None').optional((node) => node.words())).toBe('None');
  });
});
