import type { ComponentChildren } from 'preact';

/** The content of one page, without its frame. */
export interface View {
  /** Title of the window, which screen readers read first. */
  readonly title: string;
  readonly body: ComponentChildren;
  /** Present while the link can still be closed. */
  readonly closeToken?: string;
  /** The browser is redirected there. */
  readonly redirectTo?: string;
}

/** URLs of this page's routes and files for the browser. */
export interface Places {
  /** Path of the page, without a trailing slash: `/link`. */
  readonly root: string;
  readonly styleHref: string;
  readonly scriptHref: string;
  readonly iconHref: string;
  readonly logoFor: (slug: string) => string;
}

/** The page's address with the token and further query values. */
export function pageHref({ root }: Places, token: string, query: Readonly<Record<string, string>> = {}): string {
  return `${root === '' ? '/' : root}?${new URLSearchParams({ token, ...query }).toString()}`;
}
