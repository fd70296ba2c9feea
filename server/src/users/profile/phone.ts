/** As E.164; a number without a country code is Brazilian. `undefined` when no phone has it. */
export async function parsePhone(text: string): Promise<string | undefined> {
  if (text.length > 40) return undefined
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max') // large: loaded by the first profile, not at start
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'BR', extract: false })
  return parsed?.isValid() && parsed.ext === undefined ? parsed.number : undefined
}
