import type { View } from '../pages/view.ts';

/** The response of a page route: a page, or a redirect (303). */
export type PageResponse =
  | { readonly kind: 'page'; readonly status: number; readonly view: View; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'redirect'; readonly location: string; readonly headers?: Readonly<Record<string, string>> };

export function showPage(view: View, status = 200): PageResponse {
  return { kind: 'page', status, view };
}

export function redirectTo(location: string): PageResponse {
  return { kind: 'redirect', location };
}
