/** Every region that a link may name: countries, and `eu`. */
export const contractRegions: readonly string[] =
  'us eu de fr ca br ar cl co mx gb ie au nz nl at be bh ch cz dk eg es fi gr hr il it jo kw lb lu no om pl pt qa sa se si sk tr za in sg hk kr ph tw'.split(
    ' ',
  );
