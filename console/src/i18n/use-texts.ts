import { useLocale } from 'react-admin'
import { type Locale, localeOf } from './locales.ts'

/** The texts of a page group in all languages. Portuguese is the master: what is missing elsewhere, or too much, fails the type check. */
export type Texts<T> = Readonly<Record<Locale, T>>

export function defineTexts<T extends object>(texts: { 'pt-BR': T; en: NoInfer<T>; es: NoInfer<T> }): Texts<T> {
  return texts
}

/** A page group's texts in the language in use. */
export function useTexts<T>(texts: Texts<T>): T {
  return texts[localeOf(useLocale())]
}
