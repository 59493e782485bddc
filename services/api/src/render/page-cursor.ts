/**
 * A page's cursor together with the moment that "now" was on the first page: a window without an end must stay the same window
 * on every page, or the pages would not fit together.
 */
export interface PageCursor {
  readonly now: Date;
  readonly cursor: string;
}

export function writePageCursor({ now, cursor }: PageCursor): string {
  return `${now.getTime().toString(36)}.${cursor}`;
}

/** Null when the text is not a cursor of ours. */
export function readPageCursor(text: string): PageCursor | null {
  const [, time, cursor] = /^([0-9a-z]{1,9})\.(.+)$/.exec(text) ?? [];
  if (time === undefined || cursor === undefined) return null;
  return { now: new Date(Number.parseInt(time, 36)), cursor };
}
