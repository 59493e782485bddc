/** Masks the destination of a code: `a***@mail.example`, `***89`. Already masked values are returned unchanged. */
export function maskedPlace(place: string): string {
  if (place.includes('*') || place === '') return place;
  const at = place.lastIndexOf('@');
  return at > 0 ? `${place.slice(0, 1)}***${place.slice(at)}` : `***${place.slice(-2)}`;
}
