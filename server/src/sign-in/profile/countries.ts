import { FOREIGN_COUNTRIES } from '../../kit/index.ts'
import type { Language } from '../../pages/index.ts'

const named = new Map<Language, ReadonlyArray<{ code: string; name: string }>>()

/** All countries but Brazil by their names in a language, in its alphabet's order. */
export function countriesIn(language: Language): ReadonlyArray<{ code: string; name: string }> {
  const known = named.get(language)
  if (known) return known
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const { compare } = new Intl.Collator(language)
  const countries = FOREIGN_COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) => compare(a.name, b.name))
  named.set(language, countries)
  return countries
}
