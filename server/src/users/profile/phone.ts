/** In E.164; a number without a country code is Brazilian. `undefined` for a number that no phone can have. */
export async function parsePhone(text: string): Promise<string | undefined> {
  if (text.length > 40) return undefined
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max') // large, so the first profile loads it, not the start
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'BR', extract: false })
  return parsed?.isValid() && parsed.ext === undefined ? parsed.number : undefined
}
