/**
 * The part of preact that the console uses. Preact's own types would add the browser's globals, such as `document`, to the TypeScript
 * program of every service; the root tsconfig replaces them with these.
 */
export interface VNode {
  readonly type: string;
}

export type ComponentChildren = VNode | string | number | null | undefined | readonly ComponentChildren[];

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with its attributes and children; text is escaped when rendered. */
export function h(type: string, attributes: Attributes | null, ...children: ComponentChildren[]): VNode;
