import { Type, type Static } from 'typebox';
import { openEnum, optional } from './fields.ts';

const ScopeSet = Type.Object({
  required: Type.Array(Type.String(), { description: 'Provider scopes that the resource requires.' }),
  optional: Type.Array(Type.String(), { description: 'Scopes whose absence only drops some fields.' }),
});

/** The scopes required by one resource that a person granted or denied. */
export const ScopeRequirements = Type.Object({ user_granted: ScopeSet, user_denied: ScopeSet });

/** Whether a connection can deliver one resource. */
export const ResourceAvailability = Type.Object(
  {
    status: openEnum(['available', 'unavailable']),
    scope_requirements: optional(ScopeRequirements, { description: 'Null for providers without scopes.' }),
  },
  { title: 'ResourceAvailability' },
);
export type ResourceAvailability = Static<typeof ResourceAvailability>;

/** Resource name to its availability. */
export const ResourceAvailabilityMap = Type.Record(Type.String(), ResourceAvailability);
