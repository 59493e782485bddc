import type { Analyte } from '../catalogue/analyte.ts';
import type { Limits, Side } from '../catalogue/limits.ts';

/** How a laboratory writes results, apart from where it puts them on the page. */
export interface Style {
  /** Sets of units in the order of preference. */
  quantities: readonly ('conventional' | 'si' | 'india')[];
  /** Which of the variants of a name. */
  nameVariant: number;
  name(text: string, analyte: Analyte): string;
  unit(unit: string): string;
  range(limits: Limits, sexes: { male: Limits; female: Limits } | null): string | null;
  /** Range of results in words. */
  wordRange(text: string): string | null;
  flag(side: Side | 'critical low' | 'critical high' | 'abnormal'): string | null;
  emphasis: 'bold' | 'colour' | 'position' | null;
  value(text: string): string;
  comparator(sign: '<' | '>'): string;
  notMeasured: readonly string[];
  /** False where the unit stands behind the value, and is left out where there is none. */
  unitWithoutValue: boolean;
}

const plainUnit = (unit: string) => unit;
export const plainStyle: Style = {
  quantities: ['conventional'],
  nameVariant: 0,
  name: (text) => text,
  unit: plainUnit,
  range: (limits) => span(limits, '-'),
  wordRange: (text) => text,
  flag: letters('H', 'L'),
  emphasis: null,
  value: (text) => text,
  comparator: (sign) => sign,
  notMeasured: ['TNP', 'QNS', 'See note'],
  unitWithoutValue: true,
};

export interface Signs {
  below: string;
  above: string;
  atMost: string;
  atLeast: string;
}
const asciiSigns: Signs = { below: '<', above: '>', atMost: '<=', atLeast: '>=' };
export const typeset: Signs = { below: '<', above: '>', atMost: '≤', atLeast: '≥' };
export const spelled: Signs = { below: 'Less than ', above: 'Greater than ', atMost: 'Up to ', atLeast: 'At least ' };
export const questionable: Signs = { below: '<', above: '>', atMost: '< OR = ', atLeast: '> OR = ' };
export const spacedSigns: Signs = { below: '< ', above: '> ', atMost: '<= ', atLeast: '>= ' };

export function span(limits: Limits, dash: string, signs: Signs = asciiSigns): string | null {
  const { lowText, highText, strict } = limits;
  if (lowText !== null && highText !== null) return `${lowText}${dash}${highText}`;
  if (highText !== null) return `${strict ? signs.below : signs.atMost}${highText}`;
  if (lowText !== null) return `${strict ? signs.above : signs.atLeast}${lowText}`;
  return null;
}

/** Flags in letters or words; the critical ones are those of the side unless given. */
export function letters(
  high: string,
  low: string,
  others: { criticalHigh?: string; criticalLow?: string; abnormal?: string; inside?: string } = {},
) {
  return (side: Side | 'critical low' | 'critical high' | 'abnormal'): string | null => {
    if (side === 'high') return high;
    if (side === 'low') return low;
    if (side === 'critical high') return others.criticalHigh ?? high;
    if (side === 'critical low') return others.criticalLow ?? low;
    if (side === 'abnormal') return others.abnormal ?? 'A';
    return others.inside ?? null;
  };
}

const superscript: Record<string, string> = { 2: '²', 3: '³', 6: '⁶', 9: '⁹', 12: '¹²' };

/** `power`: how `10*3/uL` is written; `micro`: how the `u` of `ug` is; `words`: units written otherwise altogether. */
export function units(options: {
  power?: 'caret' | 'superscript' | 'star' | 'x10E' | 'x10^' | 'x 10';
  micro?: string;
  words?: Record<string, string>;
}) {
  const { power = 'star', micro = 'u', words = {} } = options;
  return (unit: string): string => {
    const word = words[unit];
    if (word !== undefined) return word;
    let text = unit;
    if (micro !== 'u') text = text.replace(/\bu(?=(g|L|mol|IU)\b)/g, micro);
    if (power === 'superscript' || power === 'x 10') text = text.replace('m2', 'm²');
    return text.replace(/10\*(\d+)/, (_, exponent: string) => {
      if (power === 'superscript') return `10${superscript[exponent] ?? exponent}`;
      if (power === 'x 10') return `x 10${superscript[exponent] ?? exponent}`;
      if (power === 'caret') return `10^${exponent}`;
      if (power === 'x10E') return `x10E${exponent}`;
      if (power === 'x10^') return `x10^${exponent}`;
      return `10*${exponent}`;
    });
  };
}

/** Groups of three digits before the decimal point. */
export function thousands(text: string): string {
  return text.replace(/^(\d+)(\d{3})(?=\.|$)/, '$1,$2');
}

/** `12,50,000` is not printed by laboratories of India for counts below a lakh; ranges get the same separators. */
export function thousandsOf(limits: Limits): Limits {
  const group = (text: string | null) => (text === null ? null : thousands(text));
  return { ...limits, lowText: group(limits.lowText), highText: group(limits.highText) };
}
