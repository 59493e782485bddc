import type { ComponentChildren } from 'preact';

/** Who is signed in, as the API says. */
export interface Viewer {
  readonly teamId: string;
  readonly teamName: string;
  readonly isSandbox: boolean;
  readonly label: string;
  /** Null: all. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: string | null;
}

/** The content of one page, without its frame. */
export interface View {
  readonly title: string;
  readonly body: ComponentChildren;
  /** Names the entry of the menu. */
  readonly section?: string;
}

/** What every page needs besides its data. */
export interface Frame {
  /** Path of the portal, without a trailing slash. */
  readonly root: string;
  readonly styleHref: string;
  readonly scriptHref: string;
  readonly iconHref: string;
  /** Address of the API, for commands to copy. */
  readonly apiUrl: string;
  /** Null on the page to sign in. */
  readonly viewer: Viewer | null;
  readonly formToken: string;
  readonly now: Date;
}

export function hasScope({ scopes }: Viewer, scope: string): boolean {
  return scopes === null || scopes.includes(scope);
}
