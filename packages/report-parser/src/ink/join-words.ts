import type { TextCell } from '../image/find-cells.ts';
import type { Space } from './find-spaces.ts';
import type { ReadWord } from './restore-signs.ts';

interface PlacedWord extends ReadWord {
  readonly top: number;
  readonly bottom: number;
  readonly confidence: number;
}

/** Joins words between which the ink shows no space, from left to right. Footnote marks, which are raised, stay apart. */
export function joinWords(words: readonly PlacedWord[], { height, baseline }: TextCell, spaces: readonly Space[]): readonly PlacedWord[] {
  const isRaised = ({ bottom }: PlacedWord) => bottom < baseline - height * 0.25;
  const joined: PlacedWord[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    // The engine's boxes are inexact by a part of a character.
    const reach = height * 0.5;
    const isApart =
      !before ||
      isRaised(word) ||
      isRaised(before) ||
      spaces.some(({ left, right }) => right >= before.right - reach && left <= word.left + reach);
    if (isApart) joined.push(word);
    else
      joined[joined.length - 1] = {
        text: before.text + word.text,
        left: before.left,
        right: word.right,
        top: Math.min(before.top, word.top),
        bottom: Math.max(before.bottom, word.bottom),
        confidence: Math.min(before.confidence, word.confidence),
      };
  }
  return joined;
}
