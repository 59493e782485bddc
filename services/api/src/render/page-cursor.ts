/**
 * A page's cursor together with the "now" of the first page, because a window without an end must stay the same
 * on every page.
 */
export interface PageCursor {
  readonly now: Date;
  readonly cursor: string;
}

export function writePageCursor({ now, cursor }: PageCursor): string {
  return `${now.getTime().toString(36)}.${cursor}`;
}

/** Null when the text is not a valid cursor. */
export function readPageCursor(text: string): PageCursor | null {
  const [, time, cursor] = /^([0-9a-z]{1,9})\.(.+)$/.exec(text) ?? [];
  if (time === undefined || cursor === undefined) return null;
  return { now: new Date(Number.parseInt(time, 36)), cursor };
}
