const lengthMin = 32;
/** Keeps a megabyte of header from being hashed. */
export const apiKeyLengthMax = 200;
const differentCharactersMin = 10;

/** The form of an API key that was made elsewhere: what random keys have, and words or repeated characters have not. */
export const apiKeyForm = {
  text: `${lengthMin} to ${apiKeyLengthMax} visible characters with at least ${differentCharactersMin} different ones, such as the output of \`openssl rand -hex 32\``,
  has(key: string): boolean {
    return (
      key.length >= lengthMin && key.length <= apiKeyLengthMax && /^[\x21-\x7e]+$/.test(key) && new Set(key).size >= differentCharactersMin
    );
  },
};
