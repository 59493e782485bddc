/** Seven days between deletion and erasure. */
export const erasureGraceMs = 7 * 86_400_000;
