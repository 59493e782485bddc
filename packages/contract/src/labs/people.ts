import { Type } from 'typebox';
import { BirthDate, closedEnum, DateTime, optional, optionalInput, PostalCode } from '../fields/fields.ts';
import { addressStates, ethnicities, genderIdentities, genders, races, relationships, sexualOrientations } from './enums.ts';

/** Starts with a letter or digit; letters, digits, hyphen, period, comma, apostrophe; single blanks between words. */
const namePattern = "^([a-zA-Z0-9]{1})([a-zA-Z0-9\\-.,']*(\\s[a-zA-Z0-9\\-.,']+)*[a-zA-Z0-9\\-.,']?)$";
export const PersonName = Type.String({ minLength: 1, maxLength: 50, pattern: namePattern, format: 'trimmed' });
export const Email = Type.String({ format: 'email', maxLength: 320 });
export const Phone = Type.String({ format: 'phone', maxLength: 40, description: 'At least ten digits.' });
const line = Type.String({ minLength: 1, maxLength: 200, format: 'trimmed' });
const optionalLine = optionalInput(Type.String({ maxLength: 200, format: 'trimmed' }));
const country = Type.String({ minLength: 2, maxLength: 60, format: 'trimmed' });
const accessNotes = optionalInput(Type.String({ maxLength: 1000 }));

const demographicInputs = {
  race: optionalInput(closedEnum(races)),
  ethnicity: optionalInput(closedEnum(ethnicities)),
  sexual_orientation: optionalInput(closedEnum(sexualOrientations)),
  gender_identity: optionalInput(closedEnum(genderIdentities)),
};

/** A picture in base64. */
export const ImageInput = Type.Object(
  {
    content: Type.String({ minLength: 4, maxLength: 400_000, pattern: '^[A-Za-z0-9+/]+={0,2}$', description: 'JPEG or PNG in base64.' }),
    content_type: closedEnum(['image/jpeg', 'image/png']),
  },
  { title: 'ImageInput' },
);
const optionalImage = Type.Optional(Type.Union([ImageInput, Type.Null()]));

export const PostalAddressInput = Type.Object(
  { first_line: line, second_line: optionalLine, country, zip: line, city: line, state: line, access_notes: accessNotes },
  { title: 'PostalAddressInput' },
);

/** Who is responsible for a minor, or pays. */
export const GuarantorInput = Type.Object(
  {
    first_name: line,
    last_name: line,
    address: PostalAddressInput,
    phone_number: Phone,
    household_income: optionalInput(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    household_size: optionalInput(Type.Integer({ minimum: 0, maximum: 1000 })),
    email: optionalInput(Email),
  },
  { title: 'GuarantorInput' },
);

export const PatientInput = Type.Object(
  {
    first_name: PersonName,
    last_name: PersonName,
    dob: BirthDate,
    gender: closedEnum(genders),
    phone_number: Phone,
    email: Email,
    medical_proxy: Type.Optional(Type.Union([GuarantorInput, Type.Null()])),
    ...demographicInputs,
    household_income: optionalInput(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    household_size: optionalInput(Type.Integer({ minimum: 0, maximum: 1000 })),
  },
  { title: 'PatientInput' },
);

export const PatientAddressInput = Type.Object(
  {
    receiver_name: Type.String({ default: '', maxLength: 200, format: 'trimmed' }),
    first_line: line,
    second_line: optionalLine,
    city: line,
    state: closedEnum(addressStates),
    zip: PostalCode,
    country,
    access_notes: accessNotes,
    phone_number: optionalInput(Phone),
  },
  { title: 'PatientAddressInput' },
);

/** The patient of an order that exists at the lab, as written there. */
export const ImportedAddressInput = Type.Object(
  {
    receiver_name: Type.String({ maxLength: 200 }),
    first_line: Type.String({ maxLength: 200 }),
    second_line: optionalInput(Type.String({ maxLength: 200 })),
    city: Type.String({ maxLength: 200 }),
    state: Type.String({ maxLength: 60 }),
    zip: Type.String({ maxLength: 20 }),
    country: Type.String({ maxLength: 60 }),
    access_notes: accessNotes,
  },
  { title: 'ImportedAddressInput' },
);

/** Shipping address of a test kit. */
export const ShippingAddressInput = Type.Object(
  {
    receiver_name: line,
    first_line: line,
    second_line: optionalLine,
    city: line,
    state: closedEnum(addressStates),
    zip: PostalCode,
    country,
    phone_number: Phone,
  },
  { title: 'ShippingAddressInput' },
);

const physician = {
  first_name: line,
  last_name: line,
  email: optionalInput(Email),
  npi: Type.String({ pattern: '^\\d{10}$' }),
  licensed_states: Type.Optional(Type.Array(Type.String({ maxLength: 10 }), { maxItems: 100 })),
};
/** Who orders. */
export const PhysicianInput = Type.Object({ ...physician, signature_image: optionalImage }, { title: 'PhysicianInput' });
/** Of a kit that is being registered. */
export const KitPhysicianInput = Type.Object(physician, { title: 'KitPhysicianInput' });

/** Insurance that pays for one order. */
export const OrderInsuranceInput = Type.Object(
  {
    front_image: optionalImage,
    back_image: optionalImage,
    patient_signature_image: optionalImage,
    subjective: optionalInput(Type.String({ maxLength: 10_000 })),
    assessment_plan: optionalInput(Type.String({ maxLength: 10_000 })),
    payor_code: optionalLine,
    insurance_id: optionalLine,
    responsible_relationship: optionalInput(closedEnum(relationships)),
    responsible_details: Type.Optional(
      Type.Union([
        Type.Object(
          {
            first_name: line,
            last_name: line,
            address: PostalAddressInput,
            phone_number: Phone,
            phone_type: Type.String({ default: 'Mobile', maxLength: 20 }),
          },
          { title: 'ResponsiblePersonInput' },
        ),
        Type.Null(),
      ]),
    ),
    diagnosis_codes: optionalInput(Type.Array(Type.String({ minLength: 1, maxLength: 20 }), { maxItems: 50 })),
  },
  { title: 'OrderInsuranceInput', deprecated: true },
);

export const PostalAddress = Type.Object(
  {
    first_line: Type.String(),
    second_line: optional(Type.String()),
    country: Type.String(),
    zip: Type.String(),
    city: Type.String(),
    state: Type.String(),
    access_notes: optional(Type.String()),
  },
  { title: 'PostalAddress' },
);
export const Guarantor = Type.Object(
  {
    first_name: Type.String(),
    last_name: Type.String(),
    address: PostalAddress,
    phone_number: Type.String(),
    household_income: optional(Type.Integer()),
    household_size: optional(Type.Integer()),
    email: optional(Type.String()),
  },
  { title: 'Guarantor' },
);

export const PatientDetails = Type.Object(
  {
    first_name: optional(Type.String()),
    last_name: optional(Type.String()),
    dob: DateTime,
    gender: Type.String(),
    phone_number: optional(Type.String()),
    email: optional(Type.String()),
    medical_proxy: optional(Guarantor),
    race: optional(Type.String()),
    ethnicity: optional(Type.String()),
    sexual_orientation: optional(Type.String()),
    gender_identity: optional(Type.String()),
  },
  { title: 'PatientDetails' },
);

export const PatientAddress = Type.Object(
  {
    receiver_name: Type.String(),
    first_line: Type.String(),
    second_line: optional(Type.String()),
    city: Type.String(),
    state: Type.String(),
    zip: Type.String(),
    country: Type.String(),
    access_notes: optional(Type.String()),
    phone_number: optional(Type.String()),
  },
  { title: 'PatientAddress' },
);
