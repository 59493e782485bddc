import type { OffsetOrigin } from '@pulsewire/contract';

/** As stored in `tz_origin`; a number never changes its meaning. */
const codes: Readonly<Record<OffsetOrigin, number>> = { value: 1, provider: 2, user: 3 };
const names = new Map(Object.entries(codes).map(([name, code]) => [code, name as OffsetOrigin]));

/** The stored number of an origin; null when it is unknown. */
export function originCode(origin: OffsetOrigin | undefined): number | null {
  return origin === undefined ? null : codes[origin];
}

/** The origin of a stored number; undefined where none was recorded. */
export function originName(code: number | null): OffsetOrigin | undefined {
  return code === null ? undefined : names.get(code);
}
