import { AppError, isUuid } from '@pulsewire/kernel';
import { findEndpointTeam, type EndpointContext } from '@pulsewire/webhooks';
import { required, type AdminArguments, type AdminContext } from './command.ts';

function invalid(message: string): AppError {
  return new AppError({ code: 'argument_invalid', kind: 'invalid', message });
}

/** The text of an option, or undefined. */
export function optionText(args: AdminArguments, name: string): string | undefined {
  const value = args.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** An instant, ISO 8601; a day is its first moment in UTC. Throws AppError `argument_invalid`. */
export function parseInstant(name: string, text: string): Date {
  const instant = new Date(/^\d{4}-\d{2}-\d{2}/.test(text) ? text : Number.NaN);
  if (Number.isNaN(instant.getTime())) throw invalid(`${name} must be a day or a date-time with its offset, ISO 8601`);
  return instant;
}

export function optionInstant(args: AdminArguments, name: string): Date | undefined {
  const text = optionText(args, name);
  return text === undefined ? undefined : parseInstant(`--${name}`, text);
}

/** One of the given words. Throws AppError `argument_invalid`. */
export function optionWord<const Words extends readonly string[]>(
  args: AdminArguments,
  name: string,
  words: Words,
): Words[number] | undefined {
  const text = optionText(args, name);
  if (text !== undefined && !words.includes(text)) throw invalid(`--${name} must be one of ${words.join(', ')}`);
  return text;
}

/** A UUID, or undefined. Throws AppError `argument_invalid`. */
export function optionUuid(args: AdminArguments, name: string): string | undefined {
  const text = optionText(args, name);
  if (text !== undefined && !isUuid(text)) throw invalid(`--${name} must be a UUID`);
  return text;
}

/** The endpoint named by the first argument, of any team, with the dependencies of its actions. Throws AppError `endpoint_not_found`. */
export async function endpointOf(
  { database, cipher, clock }: AdminContext,
  args: AdminArguments,
): Promise<readonly [context: EndpointContext, teamId: string, endpointId: string]> {
  const endpointId = required(args, 0, 'endpoint_id');
  return [{ database, cipher, clock }, await findEndpointTeam(database, endpointId), endpointId];
}
