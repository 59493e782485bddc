import type { View } from '../pages/view.ts';

/** What a route of the page answers: a page, or the way to another address (303). */
export type PageAnswer =
  | { readonly kind: 'page'; readonly status: number; readonly view: View; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'redirect'; readonly location: string; readonly headers?: Readonly<Record<string, string>> };

export function showPage(view: View, status = 200): PageAnswer {
  return { kind: 'page', status, view };
}

export function redirectTo(location: string): PageAnswer {
  return { kind: 'redirect', location };
}
