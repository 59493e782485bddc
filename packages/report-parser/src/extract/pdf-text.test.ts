import { expect, test } from 'vitest';
import { toTextPage } from './pdf-text.ts';

const size = { width: 595, height: 842 };
const item = (str: string, transform: readonly number[]) => ({ str, transform, width: str.length * 5, height: 10 });

test('a page whose text runs upwards is read as the landscape page that it shows', () => {
  const page = toTextPage([item('Sodium 140', [0, 10, -10, 0, 100, 50]), item('printed', [10, 0, 0, 10, 20, 20])], size);
  expect(page).toMatchObject({ width: 842, height: 595 });
  expect(page.words).toMatchObject([
    { text: 'Sodium', x: 50, y: 100, width: 30, height: 10 },
    { text: '140', x: 85, y: 100 },
  ]);
});

test.each([
  ['from left to right', [10, 0, 0, 10, 100, 742], { x: 100, y: 100 }],
  ['upside down', [-10, 0, 0, -10, 495, 100], { x: 100, y: 100 }],
  ['downwards', [0, -10, 10, 0, 495, 742], { x: 100, y: 100 }],
])('positions are from the upper left corner of the text as it is read: %s', (_direction, transform, place) => {
  expect(toTextPage([item('Sodium', transform)], size).words).toMatchObject([place]);
});
