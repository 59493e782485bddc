import { describe, expect, it } from 'vitest';
import { markdownItem } from './markdown-item.ts';

describe('markdownItem', () => {
  it('keeps a short text on one line', () => {
    expect(markdownItem('`PORT` (`8080`): Port of the API.')).toBe('- `PORT` (`8080`): Port of the API.');
  });

  it('breaks a long text between words, and indents what follows', () => {
    const lines = markdownItem('word '.repeat(60)).split('\n');
    expect(lines.map((line) => line.length <= 140)).toEqual([true, true, true]);
    expect(lines.slice(1).every((line) => line.startsWith('  word'))).toBe(true);
  });

  it('breaks a code span that is longer than a line', () => {
    const lines = markdownItem(`default \`${'scope '.repeat(40)}end\`: scopes`).split('\n');
    expect(lines.every((line) => line.length <= 140)).toBe(true);
  });

  it('breaks no other code span and no link, and begins no line with the mark of another item', () => {
    const code = `\`${'a b '.repeat(20)}\``;
    const text = `${'x'.repeat(100)} ${code} [${'l i '.repeat(20)}](README.md) ${'y'.repeat(30)} ${'z'.repeat(134)} - 2. end`;
    const item = markdownItem(text);
    expect(item).toContain(code);
    expect(item).toMatch(/\[(?:l i )+\]\(README\.md\)/);
    expect(item.split('\n').filter((line) => /^ *(?:-|\d\.) /.test(line))).toHaveLength(1);
  });
});
