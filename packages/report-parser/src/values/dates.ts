const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const name = String.raw`(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?`;
const year = String.raw`(\d{4}|\d{2})`;

/** Forms of dates, with the positions of year, month and day among their groups; 0: the first day of a month. */
const forms: readonly (readonly [RegExp, readonly (readonly [year: number, month: number, day: number])[]])[] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/, [[1, 2, 3]]],
  [
    new RegExp(String.raw`^(\d{1,2})[-/.](\d{1,2})[-/.]${year}(?!\d)`),
    [
      [3, 1, 2],
      [3, 2, 1],
    ],
  ],
  [new RegExp(String.raw`^(\d{1,2})[-/. ]{1,2}${name}[-/. ,]{0,2}${year}(?!\d)`, 'i'), [[3, 2, 1]]],
  [new RegExp(String.raw`^${name}[-/. ]{1,2}(\d{1,2}),? ?(\d{4})\b`, 'i'), [[3, 1, 2]]],
  [new RegExp(String.raw`^${name}[-/. ,]{1,2}(\d{4})\b`, 'i'), [[2, 1, 0]]],
];

function dayOf(yearText: string, monthText: string, dayText: string): number | undefined {
  const named = months.indexOf(monthText.toLowerCase().slice(0, 3));
  const [y, m, d] = [Number(yearText), named >= 0 ? named + 1 : Number(monthText), Number(dayText)];
  if (m < 1 || m > 12 || d < 1 || d > 31) return undefined;
  return Date.UTC(yearText.length === 2 ? (y > 40 ? 1900 : 2000) + y : y, m - 1, d);
}

/** The days that a printed date may mean, in ms; two when day and month may be interchanged, none when the text begins with no date. */
export function daysOf(text: string): readonly number[] {
  const plain = text.trim();
  for (const [pattern, readings] of forms) {
    const found = pattern.exec(plain);
    if (!found) continue;
    const days = readings.flatMap(([y, m, d]) => dayOf(found[y] ?? '', found[m] ?? '', d === 0 ? '1' : (found[d] ?? '')) ?? []);
    return [...new Set(days)];
  }
  return [];
}

/** Whether the whole text is a date, perhaps with a time. */
export function isDate(text: string): boolean {
  const plain = text.trim();
  if (plain.length > 32 || daysOf(plain).length === 0) return false;
  return forms.some(
    ([pattern]) => /^[\s,]*(?:\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?)?$/i.test(plain.replace(pattern, '')) && pattern.test(plain),
  );
}

/** Completed years between two printed dates; undefined when they may differ by the order of day and month. */
export function yearsBetween(from: string, to: string): number | undefined {
  const ages = new Set(
    daysOf(from).flatMap((birth) =>
      daysOf(to).map((end) => {
        const [one, other] = [new Date(birth), new Date(end)];
        const hasPassed =
          other.getUTCMonth() > one.getUTCMonth() || (other.getUTCMonth() === one.getUTCMonth() && other.getUTCDate() >= one.getUTCDate());
        return other.getUTCFullYear() - one.getUTCFullYear() - (hasPassed ? 0 : 1);
      }),
    ),
  );
  const [age] = ages;
  return ages.size === 1 && age !== undefined && age >= 0 && age < 130 ? age : undefined;
}
