/** Health stores of phones: they have no account, so no account id. */
const phoneSlugs = new Set(['apple_health_kit', 'health_connect', 'samsung_health']);

export function isPhoneStore(slug: string): boolean {
  return phoneSlugs.has(slug);
}

/** Sources whose data comes from a phone or from the team: no provider is contacted to link them. */
export const manualProviders: readonly { readonly slug: string; readonly name: string }[] = [
  { slug: 'accuchek_ble', name: 'Accu-Chek (Bluetooth)' },
  { slug: 'apple_health_kit', name: 'Apple HealthKit' },
  { slug: 'beurer_ble', name: 'Beurer (Bluetooth)' },
  { slug: 'contour_ble', name: 'Contour (Bluetooth)' },
  { slug: 'freestyle_libre_ble', name: 'FreeStyle Libre (Bluetooth)' },
  { slug: 'health_connect', name: 'Health Connect' },
  { slug: 'manual', name: 'Manual entry' },
  { slug: 'omron_ble', name: 'Omron (Bluetooth)' },
  { slug: 'onetouch_ble', name: 'OneTouch (Bluetooth)' },
  { slug: 'samsung_health', name: 'Samsung Health' },
];
