/** Where a code went, so that its owner knows the place and nobody else learns it: `a***@mail.example`, `***89`. Masked ones stay. */
export function maskedPlace(place: string): string {
  if (place.includes('*') || place === '') return place;
  const at = place.lastIndexOf('@');
  return at > 0 ? `${place.slice(0, 1)}***${place.slice(at)}` : `***${place.slice(-2)}`;
}
