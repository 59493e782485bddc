/** How a sample is collected. */
export const collectionMethods = ['testkit', 'walk_in_test', 'at_home_phlebotomy', 'on_site_collection'] as const;
export type CollectionMethod = (typeof collectionMethods)[number];

/** A question that must be answered with an order. */
export interface Question {
  readonly id: number;
  readonly required: boolean;
  readonly code: string;
  readonly value: string;
  readonly type: 'choice' | 'text' | 'numeric' | 'multi_choice';
  readonly sequence: number;
  readonly answers: readonly { readonly id: number; readonly code: string; readonly value: string }[];
  readonly constraint?: string;
  readonly default?: string;
}
