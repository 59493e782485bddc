const email = /[^\s@]+@[^\s@]+\.[^\s@.]/;
const international = /^\+[\d\s().-]+$/;
const national = /^\(?\d{2,5}\)?[\s.-]\d{2,5}(?:[\s.-]\d{2,5})+$/;
const digitsMin = 9;
const digitsMax = 15;

/**
 * Whether a team's reference for a user looks like an e-mail address or a telephone number, which it must not contain: references are part
 * of every event. Plain numbers are not suspicious, since many databases count their users.
 */
export function looksPersonal(reference: string): boolean {
  const text = reference.trim();
  if (email.test(text)) return true;
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= digitsMin && digits <= digitsMax && (international.test(text) || national.test(text));
}
