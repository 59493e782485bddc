/** Seven days between deletion and erasure (interface 8). */
export const erasureGraceMs = 7 * 86_400_000;
