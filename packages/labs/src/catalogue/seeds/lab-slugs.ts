import { seedLabs } from './labs.ts';

/** Every lab of the catalogue. */
export const labSlugs: readonly string[] = seedLabs.map(({ slug }) => slug);
