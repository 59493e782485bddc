/**
 * What this room uses of preact. Its own types pull the browser's whole world into the one TypeScript program of the house, where
 * `document` would then exist in every service; the root tsconfig puts these in their place.
 */
export interface VNode {
  readonly type: string;
}

export type ComponentChildren = VNode | string | number | null | undefined | readonly ComponentChildren[];

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with its attributes and what is in it; texts are escaped when it is rendered. */
export function h(type: string, attributes: Attributes | null, ...children: ComponentChildren[]): VNode;
