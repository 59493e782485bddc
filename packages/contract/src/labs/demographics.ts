import { Type } from 'typebox';
import { BirthDate, closedEnum, DateOnly, optional, optionalInput } from '../fields/fields.ts';
import { ethnicities, genderIdentities, genders, races, relationships, sexualOrientations } from './enums.ts';
import { Email, Guarantor, GuarantorInput, PersonName, Phone, PostalAddress, PostalAddressInput } from './people.ts';

const text = Type.String({ minLength: 1, maxLength: 200, format: 'trimmed' });

/** PATCH /v2/user/{user_id}/info: the whole object. */
export const UserInfoInput = Type.Object(
  {
    first_name: PersonName,
    last_name: PersonName,
    email: Email,
    phone_number: Phone,
    gender: text,
    dob: BirthDate,
    address: PostalAddressInput,
    medical_proxy: Type.Optional(Type.Union([GuarantorInput, Type.Null()])),
    race: optionalInput(closedEnum(races)),
    ethnicity: optionalInput(closedEnum(ethnicities)),
    sexual_orientation: optionalInput(closedEnum(sexualOrientations)),
    gender_identity: optionalInput(closedEnum(genderIdentities)),
  },
  { title: 'UserInfoInput' },
);

export const UserInfoBody = Type.Object(
  {
    first_name: Type.String(),
    last_name: Type.String(),
    email: Type.String(),
    phone_number: Type.String(),
    gender: Type.String(),
    dob: DateOnly,
    address: PostalAddress,
    medical_proxy: optional(Guarantor),
    race: optional(Type.String()),
    ethnicity: optional(Type.String()),
    sexual_orientation: optional(Type.String()),
    gender_identity: optional(Type.String()),
  },
  { title: 'UserInfoBody' },
);

/** POST /v2/user/{user_id}/insurance. */
export const CreateInsuranceBody = Type.Object(
  {
    payor_code: text,
    member_id: text,
    group_id: optionalInput(Type.String({ maxLength: 200, format: 'trimmed' })),
    relationship: closedEnum(relationships),
    insured: Type.Object(
      {
        first_name: text,
        last_name: text,
        gender: closedEnum(genders),
        address: PostalAddressInput,
        dob: BirthDate,
        email: Email,
        phone_number: Phone,
      },
      { title: 'InsuredInput' },
    ),
    guarantor: Type.Optional(Type.Union([GuarantorInput, Type.Null()])),
    is_primary: Type.Boolean({ default: true }),
  },
  { title: 'CreateInsuranceBody' },
);

export const InsuranceBody = Type.Object(
  {
    member_id: Type.String(),
    payor_code: Type.String(),
    relationship: Type.String(),
    insured: Type.Object(
      {
        first_name: Type.String(),
        last_name: Type.String(),
        gender: Type.String(),
        address: PostalAddress,
        dob: DateOnly,
        email: Type.String(),
        phone_number: Type.String(),
      },
      { title: 'Insured' },
    ),
    company: Type.Object({ name: Type.String(), address: PostalAddress }, { title: 'InsuranceCompany' }),
    group_id: optional(Type.String()),
    guarantor: optional(Guarantor),
    is_primary: Type.Boolean(),
  },
  { title: 'InsuranceBody' },
);

export const InsuranceQuery = Type.Object({ is_primary: Type.Boolean({ default: true }) }, { title: 'InsuranceQuery' });
