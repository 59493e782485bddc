type Fields = Readonly<Record<string, unknown>>;

const fields = (from: unknown, keys: readonly string[]): Fields | null =>
  typeof from === 'object' && from !== null ? Object.fromEntries(keys.map((key) => [key, (from as Fields)[key] ?? null])) : null;

const addressKeys = ['first_line', 'second_line', 'country', 'zip', 'city', 'state', 'access_notes'];
const address = (from: unknown) => fields(from, addressKeys);

function guarantor(from: unknown): Fields | null {
  const keys = ['first_name', 'last_name', 'phone_number', 'household_income', 'household_size', 'email'];
  const rest = fields(from, keys);
  return rest && { ...rest, address: address((from as Fields)['address']) };
}

export function renderUserInfo(info: Fields): Fields {
  const keys = ['first_name', 'last_name', 'email', 'phone_number', 'gender', 'dob'];
  const more = ['race', 'ethnicity', 'sexual_orientation', 'gender_identity'];
  return { ...fields(info, [...keys, ...more]), address: address(info['address']), medical_proxy: guarantor(info['medical_proxy']) };
}

/** Names of payors are not known, so the company is shown by its code. */
const unknownAddress = { first_line: '', second_line: null, country: 'US', zip: '', city: '', state: '', access_notes: null };

export function renderInsurance(insurance: Fields): Fields {
  const insured = insurance['insured'];
  const person = fields(insured, ['first_name', 'last_name', 'gender', 'dob', 'email', 'phone_number']);
  return {
    ...fields(insurance, ['member_id', 'payor_code', 'relationship', 'group_id', 'is_primary']),
    insured: { ...person, address: address((insured as Fields)['address']) },
    company: { name: insurance['payor_code'], address: unknownAddress },
    guarantor: guarantor(insurance['guarantor']),
  };
}
