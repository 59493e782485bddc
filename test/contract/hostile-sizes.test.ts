import { describe, expect, test } from 'vitest';
import { decodeText, isJsonDeeperThan } from '@pulsewire/kernel';
import { parseInstant } from '../../packages/providers/src/kit/time/time.ts';
import { createCookieJar } from '../../packages/providers/src/kit/password/cookies.ts';
import { readTcx } from '../../packages/providers/src/kit/values/tcx.ts';
import { readReport } from '../../packages/providers/src/abbott_libreview/daily-log/read-report.ts';
import { parseDuring } from '../../packages/providers/src/whoop/span.ts';
import { parseTraceparent } from '../../packages/runtime/src/log/trace.ts';
import { isDateTime, isTimeZone } from '../../services/api/src/validate/formats.ts';
import { readScalar } from '../../services/api/src/validate/scalars.ts';
import { isJson } from '../../services/api/src/validate/validate-request.ts';
import { redactText } from '../../packages/runtime/src/log/redact.ts';
import { growthOf, linearGrowthMax } from '../support/growth.ts';

/** Texts that make backtracking patterns and scanners start again at every character. */
const shapes: Readonly<Record<string, (size: number) => string>> = {
  letters: (size) => 'a'.repeat(size),
  digits: (size) => '1'.repeat(size),
  spaces: (size) => ' '.repeat(size),
  'line breaks': (size) => '\n'.repeat(size),
  quotes: (size) => '"'.repeat(size),
  backslashes: (size) => '\\'.repeat(size),
  brackets: (size) => '['.repeat(size),
  'angle brackets': (size) => '<'.repeat(size),
  slashes: (size) => '/'.repeat(size),
  'schemes without an end': (size) => 'a://'.repeat(size / 4),
  'credentials without an end': (size) => `https://${':'.repeat(size)}`,
  'query keys without a value': (size) => '?a'.repeat(size / 2),
  'auth schemes without a token': (size) => 'bearer '.repeat(size / 7),
  'digits and a letter': (size) => `${'1'.repeat(size)}x`,
  'digits and dots': (size) => '1.'.repeat(size / 2),
  'a range and spaces': (size) => `['1',${' '.repeat(size)}`,
  'points without an end, and one end': (size) => `${'<Trackpoint>'.repeat(size / 12)}</Trackpoint>`,
  'points without an end': (size) => '<Trackpoint>'.repeat(size / 12),
  'tags without an end': (size) => `<Trackpoint>${'<Time '.repeat(size / 6)}</Trackpoint>`,
  'an assignment and spaces': (size) => `window.Report${' '.repeat(size)}`,
  'slashes and letters': (size) => 'a/'.repeat(size / 2),
  'bytes that are not UTF-8': (size) => '\xff'.repeat(size),
  'an auth scheme and spaces': (size) => `bearer${' '.repeat(size)}`,
};

/** Everything that reads external text with one of our patterns or scanners. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'log redaction': redactText,
  'JSON depth': (text) => isJsonDeeperThan(Buffer.from(text)),
  'broken text': (text) => decodeText(Buffer.from(text, 'latin1')),
  'times of providers': parseInstant,
  'ranges of WHOOP': parseDuring,
  'tracks in XML': (text) => readTcx(`<TrainingCenterDatabase>${text}`),
  'reports in HTML': readReport,
  cookies: (text) => {
    const jar = createCookieJar();
    jar.keep(text, '/login');
    return jar.header('/login');
  },
  'trace context': parseTraceparent,
  'times of clients': isDateTime,
  'time zones': isTimeZone,
  'numbers in a query': (text) => readScalar({ type: 'number' }, text, 'query'),
  'whole numbers in a query': (text) => readScalar({ type: 'integer' }, text, 'query'),
  'content types': isJson,
};

const size = 8 * 1024;

describe.each(Object.entries(readers))('%s', (_name, read) => {
  test.each(Object.entries(shapes))('takes time proportional to the length of: %s', (_shape, textOf) => {
    expect(growthOf(textOf, read, size)).toBeLessThan(linearGrowthMax);
  });
});
