import { AppError } from '@pulsewire/kernel';

const lengthMin = 32;
/** Avoids hashing a huge header. */
export const apiKeyLengthMax = 200;
const differentCharactersMin = 10;

/** What an API key generated elsewhere must look like: random, not words or repeated characters. */
export const apiKeyForm = {
  text: `${lengthMin} to ${apiKeyLengthMax} visible characters with at least ${differentCharactersMin} different ones, such as the output of \`openssl rand -hex 32\``,
  has(key: string): boolean {
    return (
      key.length >= lengthMin && key.length <= apiKeyLengthMax && /^[\x21-\x7e]+$/.test(key) && new Set(key).size >= differentCharactersMin
    );
  },
};

/** Throws AppError `config_invalid` when the operator's key of the sandbox team is one that creating it would refuse. */
export function checkTeamApiKey(key: string | undefined): void {
  if (key === undefined || apiKeyForm.has(key)) return;
  const problems = [`TEAM_API_KEY must have ${apiKeyForm.text}`];
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
}
