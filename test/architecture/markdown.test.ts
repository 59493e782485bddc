import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesUnder, read, root } from './sources/workspace.ts';

const lineMax = 160;
const kilobyte = 1024;

/** Every Markdown file of the repository. */
const pages = readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
  if (entry.isFile()) return entry.name.endsWith('.md') ? [entry.name] : [];
  return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : filesUnder(entry.name, ['.md']);
});

function longLines(page: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => (line.length > lineMax ? [`${page}:${index + 1} has ${line.length} characters`] : []));
}

/** The most bytes that a page may have; undefined where there is no limit. */
function bytesMax(page: string): number | undefined {
  if (page === 'README.md') return 8 * kilobyte;
  return /^(?:packages|services)\/.*README\.md$/.test(page) ? 6 * kilobyte : undefined;
}

function largePages(sizes: readonly (readonly [page: string, bytes: number])[]): string[] {
  return sizes.flatMap(([page, bytes]) => {
    const max = bytesMax(page);
    return max !== undefined && bytes > max ? [`${page} has ${bytes} bytes, ${max} are allowed: move details to a page of their own`] : [];
  });
}

describe('Markdown pages', () => {
  it(`have no line of more than ${lineMax} characters`, () => {
    expect(pages.length).toBeGreaterThan(80);
    expect(pages.flatMap((page) => longLines(page, read(page)))).toEqual([]);
  });

  it('of the front page stay below 8 KB, and READMEs of packages and services below 6 KB', () => {
    expect(largePages(pages.map((page) => [page, Buffer.byteLength(read(page))] as const))).toEqual([]);
  });

  it('that break a limit are named with their size', () => {
    expect(longLines('a.md', `short\n${'x'.repeat(161)}\n${'é'.repeat(160)}`)).toEqual(['a.md:2 has 161 characters']);
    const sizes = [
      ['README.md', 8193],
      ['packages/store/README.md', 6145],
      ['services/api/README.md', 6144],
      ['deploy/README.md', 20_000],
    ] as const;
    expect(largePages(sizes).map((problem) => problem.split(' has ')[0])).toEqual(['README.md', 'packages/store/README.md']);
  });
});
