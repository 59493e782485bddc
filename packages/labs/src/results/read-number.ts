const plain = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?$/i;
const grouped = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
const withComma = /^-?(?:\d+,\d{1,2}|0,\d+)$/;

/**
 * The number of a text as laboratories write it, null for anything else: `1,250.5` with separators of thousands, `1.2E6`, `4,1` with a
 * decimal comma. A comma before three digits separates thousands, except after a lone zero. U+2212 is a minus sign. Two numbers are none.
 */
export function readNumber(text: string): number | null {
  const compact = text.trim().replaceAll('\u2212', '-');
  if (plain.test(compact)) return Number(compact);
  if (grouped.test(compact)) return Number(compact.replaceAll(',', ''));
  return withComma.test(compact) ? Number(compact.replace(',', '.')) : null;
}
