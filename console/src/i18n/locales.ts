/** The languages of the console: those of the service's pages. */
export const locales = ['pt-BR', 'en', 'es'] as const

export type Locale = (typeof locales)[number]

export const localeNames = { 'pt-BR': 'Português', en: 'English', es: 'Español' } as const satisfies Record<Locale, string>

export function localeOf(tag: string | undefined): Locale {
  return locales.find((locale) => locale === tag) ?? 'pt-BR'
}
