import type { ComponentChildren } from 'preact';

/** One page as a person sees it, before its frame is put around it. */
export interface View {
  /** Of the window: what a screen reader says first. */
  readonly title: string;
  readonly body: ComponentChildren;
  /** Present while the link can still be closed. */
  readonly closeToken?: string;
  /** The browser goes there at once. */
  readonly leaveTo?: string;
}

/** Where this page's own routes and files are, as the browser sees them. */
export interface Places {
  /** Path of the page, without a slash at its end: `/link`. */
  readonly root: string;
  readonly styleHref: string;
  readonly scriptHref: string;
  readonly iconHref: string;
  readonly logoFor: (slug: string) => string;
}

/** The page again, with the token and what else the query says. */
export function pageHref({ root }: Places, token: string, query: Readonly<Record<string, string>> = {}): string {
  return `${root === '' ? '/' : root}?${new URLSearchParams({ token, ...query }).toString()}`;
}
